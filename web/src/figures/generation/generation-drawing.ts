// A text being generated, drawn part by part: words wrapped into lines, each above its attention weight, and bars of the
// likeliest next tokens.
import { type TemplateResult, nothing, svg } from 'lit';
import { GROUPS, NEXT } from '#messages/figures/generation';
import { fixed } from '../../ui/numbers';
import { markTitle } from '../../ui/words';
import { MIN_LABELLED } from '../shared/attention/attention-map';
import { FULL, colorOf, css, inkOn, palette } from '../shared/palette';
import { frame } from '../shared/cells';
import type { Box, Point } from '../shared/geometry';
import type { GenerationScene, Group } from './generation-scene';

interface Chip extends Point {
  width: number;
}

interface Line {
  /** Start of the heading, on its baseline. */
  label: Point;
  chips: Chip[];
}

type GenerationLayout = ReturnType<typeof layOutGeneration>;

const GAP = 3;

/** Minimum number of bars where the height does not fit all; the least likely are left out. */
const MIN_BARS = 3;

/** @param groups Word widths of each group. @param bars Number of bars. @param names Width of the widest bar label. */
export function layOutGeneration(
  groups: readonly (readonly number[])[],
  bars: number,
  names: number,
  { width, line, gutter, maxHeight = Infinity }: { width: number; line: number; gutter: number; maxHeight?: number },
) {
  const narrow = width < line * 40;
  const left = narrow ? 0 : gutter;
  /** Height of a weight's cell, below its word. */
  const cell = line * 1.5;
  let y = 0;
  const heading = (): Point => {
    const label = { x: 0, y: y + line };
    if (narrow) y += line * 1.5;
    return label;
  };
  const placed = groups.map((words): Line => {
    const label = heading();
    const chips: Chip[] = [];
    let x = left;
    for (const word of words) {
      const wide = Math.max(line * 2.6, word + 8);
      if (x > left && x + wide > width) [x, y] = [left, y + line * 1.45 + cell + 6];
      chips.push({ x, y, width: wide });
      x += wide + GAP;
    }
    y += line * 1.45 + cell + line;
    return { label, chips };
  });
  const label = heading();
  const start = left + names + 10;
  const fitting = Math.max(MIN_BARS, Math.floor((maxHeight - y - 2) / (line * 1.5)));
  const rows = Array.from({ length: Math.min(bars, fitting) }, (_, i) => y + i * line * 1.5);
  return {
    groups: placed,
    bars: { label, x: start, y: rows, width: Math.max(20, width - start - line * 4) },
    ...{ cell, width, line },
    height: Math.ceil(y + rows.length * line * 1.5) + 2,
  };
}

export const wordsOf = (scene: GenerationScene, layout: GenerationLayout): TemplateResult[] =>
  scene.groups.map((group, i) => {
    const { label, chips } = layout.groups[i]!;
    return svg`<g data-tensor=${group.node?.name ?? nothing}>
      <text class="row-name" x=${label.x} y=${label.y}>${GROUPS[group.name]}</text>
      ${chips.map((chip, j) => svg`<g>${one(scene, group, chip, j, layout)}</g>`)}
    </g>`;
  });

/** What is highlighted when the pointer is on a word. */
export const boxOf = ({ x, y, width }: Chip, { line, cell }: GenerationLayout): Box => ({
  ...{ x, y, width },
  height: line * 1.45 + cell,
});

/** A word above its weight. */
function one(scene: GenerationScene, group: Group, chip: Chip, j: number, layout: GenerationLayout): TemplateResult {
  const { line, cell } = layout;
  const { x, y, width } = chip;
  const own = group.name === 'text';
  const [here, unseen] = [own && j === scene.choice.at, own && j > scene.choice.at];
  const under = y + line * 1.45;
  const kind = `${here ? 'on' : ''} ${unseen ? 'unwritten' : ''} ${own && scene.isPrompt(j) ? 'given' : ''}`;
  return svg`${own ? frame('target', boxOf(chip, layout)) : nothing}
    <text class="token-word ${kind}" text-anchor="middle" x=${x + width / 2} y=${y + line}>${group.words[j]}${markTitle(group.words[j])}</text>
    ${group.attention ? weightOf(unseen ? undefined : group.weights?.[j], { x, y: under, width }, cell, unseen) : nothing}
    ${here ? frame('here-word', { x, y: under + (group.attention ? cell + 2 : 0), width, height: 2 }) : nothing}`;
}

function weightOf(weight: number | undefined, { x, y, width }: Chip, cell: number, unseen: boolean): TemplateResult {
  if (weight === undefined)
    return frame(['hollow', unseen ? 'unseen' : ''].join(' '), { x, y, width, height: cell }, -0.5);
  const color = colorOf(weight, FULL, palette());
  const filled = svg`<rect x=${x} y=${y} width=${width} height=${cell} fill=${css(color)}></rect>`;
  if (weight < MIN_LABELLED) return filled;
  return svg`${filled}
    <text class="number" text-anchor="middle" x=${x + width / 2} y=${y + cell * 0.7} fill=${inkOn(color)}>${fixed(weight, 2)}</text>`;
}

/** Bars of the likeliest next tokens; the text's own next word is highlighted. */
export function bars(scene: GenerationScene, { bars: { label, x, y, width }, line }: GenerationLayout): TemplateResult {
  const { likely, next } = scene;
  const bar = (word: string, p: number, top: number): TemplateResult => {
    const long = Math.max(1, p * width);
    return svg`<text class="token-word ${word === next ? 'on' : ''}" text-anchor="end" x=${x - 8} y=${top + line}>${word}${markTitle(word)}</text>
      <rect class="bar ${word === next ? 'on' : ''}" x=${x} y=${top + line * 0.2} width=${long} height=${line}></rect>
      <text class="norm-number" x=${x + long + 5} y=${top + line}>${fixed(p, 3)}</text>`;
  };
  const empty = frame('hollow', { x, y: y[0]! + 2.5, width, height: line });
  return svg`<g data-tensor=${scene.generation.logProbs.name}>
    <text class="row-name" x=${label.x} y=${label.y}>${NEXT}</text>
    ${likely.length ? scene.barsOf(y.length).map(({ id, p }, i) => bar(scene.word(id), p, y[i]!)) : empty}
  </g>`;
}
