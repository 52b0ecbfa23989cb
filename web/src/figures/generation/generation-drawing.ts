// Draws a text being generated, part by part; also its table and CSV.
import { type TemplateResult, html, nothing, svg } from 'lit';
import type { Chip, GenerationLayout } from './generation-layout';
import type { GenerationScene, Group } from './generation-scene';
import { column, exact, fixed } from '../../ui/numbers';
import { type Scale, colorOf, css, inkOn, palette } from '../shared/palette';
import { markTitle, nameOfMark } from '../../ui/token';

export const FULL: Scale = { map: 'sequential', limit: 1 };

export function wordsOf(
  scene: GenerationScene,
  { groups, cell }: GenerationLayout,
  line: number,
  go: (at: number) => void,
): TemplateResult[] {
  return scene.groups.map((group, i) => {
    const { label, chips } = groups[i]!;
    const own = group.name === 'text';
    return svg`<g data-tensor=${group.node?.name ?? nothing}>
      <text class="row-name" x=${label.x} y=${label.y}>${group.name}</text>
      ${chips.map((chip, j) => svg`<g @click=${() => own && go(j)}>${one(scene, group, chip, j, cell, line)}</g>`)}
    </g>`;
  });
}

/** A word above its weight. */
function one(
  scene: GenerationScene,
  group: Group,
  { x, y, width }: Chip,
  j: number,
  cell: number,
  line: number,
): TemplateResult {
  const own = group.name === 'text';
  const { at } = scene.choice;
  const [here, unseen] = [own && j === at, own && j > at];
  const middle = x + width / 2;
  const under = y + line * 1.45;
  const target = svg`<rect class="target" x=${x} y=${y} width=${width} height=${line * 1.45 + cell}></rect>`;
  return svg`${own ? target : nothing}
    <text class="token-word ${here ? 'on' : ''} ${unseen ? 'unwritten' : ''} ${own && scene.isPrompt(j) ? 'given' : ''}" text-anchor="middle" x=${middle} y=${y + line}>${group.words[j]}${markTitle(group.words[j])}</text>
    ${group.attention ? weightOf(unseen ? undefined : group.weights?.[j], { x, y: under, width }, cell, unseen) : nothing}
    ${here ? svg`<rect class="here-word" x=${x} y=${under + (group.attention ? cell + 2 : 0)} width=${width} height="2"></rect>` : nothing}`;
}

function weightOf(weight: number | undefined, { x, y, width }: Chip, cell: number, unseen: boolean): TemplateResult {
  if (weight === undefined)
    return svg`<rect class="hollow ${unseen ? 'unseen' : ''}" x=${x + 0.5} y=${y + 0.5} width=${width - 1} height=${cell - 1}></rect>`;
  const color = colorOf(weight, FULL, palette());
  return svg`<rect x=${x} y=${y} width=${width} height=${cell} fill=${css(color)}></rect>
    <text class="number" text-anchor="middle" x=${x + width / 2} y=${y + cell * 0.7} fill=${inkOn(color)}>${fixed(weight, 2)}</text>`;
}

/** Bars of the likeliest next tokens; the text's own next word is highlighted. */
export function bars(
  scene: GenerationScene,
  { bars: { label, x, y, width } }: GenerationLayout,
  line: number,
): TemplateResult {
  const { likely, next } = scene;
  const bar = (word: string, p: number, top: number): TemplateResult => {
    const long = Math.max(1, p * width);
    return svg`<text class="token-word ${word === next ? 'on' : ''}" text-anchor="end" x=${x - 8} y=${top + line}>${word}${markTitle(word)}</text>
      <rect class="bar ${word === next ? 'on' : ''}" x=${x} y=${top + line * 0.2} width=${long} height=${line}></rect>
      <text class="norm-number" x=${x + long + 5} y=${top + line}>${fixed(p, 3)}</text>`;
  };
  const empty = svg`<rect class="hollow" x=${x} y=${y[0]! + 2.5} width=${width} height=${line}></rect>`;
  return svg`<g data-tensor=${scene.generation.logProbs.name}>
    <text class="row-name" x=${label.x} y=${label.y}>next</text>
    ${likely.length ? likely.slice(0, y.length).map(({ id, p }, i) => bar(scene.word(id), p, y[i]!)) : empty}
  </g>`;
}

export function generationTable(scene: GenerationScene): TemplateResult {
  const { at } = scene.choice;
  return html`${scene.groups.map((group) => (group.attention ? weightTable(group, at) : nothing))}
    <table data-tensor=${scene.generation.logProbs.name}>
      <caption>
        The most likely words after position ${at}
      </caption>
      <thead>
        <tr>
          <th scope="col">word</th>
          <th scope="col">log p</th>
          <th scope="col">p</th>
        </tr>
      </thead>
      <tbody class="worded">
        ${likelyRows(scene)}
      </tbody>
    </table>`;
}

function likelyRows({ likely, word, choice, generation }: GenerationScene): TemplateResult[] {
  const texts = column(likely.map(({ logP }) => logP));
  return likely.map(
    ({ id, p }, i) =>
      html`<tr>
        <th scope="row" title=${nameOfMark(word(id)) ?? nothing}>${word(id)}</th>
        <td data-index=${choice.at * generation.vocabulary + id}>${texts[i]}</td>
        <td>${fixed(p, 4)}</td>
      </tr>`,
  );
}

function weightTable({ name, words, attention, node, weights }: Group, at: number): TemplateResult {
  return html`<table data-tensor=${node?.name ?? nothing}>
    <caption>
      Attention weights of position ${at}: ${name}, ${attention!.name}
    </caption>
    <thead>
      <tr>
        ${words.map((word) => html`<th scope="col" title=${nameOfMark(word) ?? nothing}>${word}</th>`)}
      </tr>
    </thead>
    <tbody>
      <tr>
        ${words.map((_, j) => html`<td data-index=${j}>${weights ? exact(weights[j]!) : ''}</td>`)}
      </tr>
    </tbody>
  </table>`;
}

export function generationLines({ groups, likely, choice: { at }, word }: GenerationScene): string {
  const quoted = (text: string): string => `"${text.replace(/"/g, '""')}"`;
  const weights = groups.flatMap(({ name, words, weights }) =>
    words.map((text, j) => [name, at, quoted(text), weights?.[j] ?? ''].join(',')),
  );
  const next = likely.map(({ id, logP }) => ['log p', at, quoted(word(id)), logP].join(','));
  return ['what,position,word,value', ...weights, ...next].join('\n');
}
