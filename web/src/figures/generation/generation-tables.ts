// A position of a text being generated, as tables: its attention weights, and the likeliest next words.
import * as texts from '#messages/figures/generation';
import { exact, fixed } from '../../ui/numbers';
import type { Table } from '../host/tables';
import type { GenerationScene, Group } from './generation-scene';

export const generationTables = (scene: GenerationScene): Table[] => [
  ...scene.groups.filter(({ attention }) => attention).map((group) => weightTable(group, scene.choice.at)),
  likelyTable(scene),
];

function weightTable({ name, words, attention, node, weights }: Group, at: number): Table {
  const cell = (value: number | undefined, index: number) => ({
    ...{ value, index },
    text: value === undefined ? '' : exact(value),
  });
  return {
    caption: texts.weightsAt(at, name, attention!.name),
    tensor: node?.name,
    head: words,
    rows: [{ heads: [], cells: words.map((_, j) => cell(weights?.[j], j)) }],
  };
}

function likelyTable({ likely, word, choice, generation }: GenerationScene): Table {
  return {
    caption: texts.likelyAfter(choice.at),
    tensor: generation.logProbs.name,
    kind: 'listed',
    head: texts.LIKELY_COLUMNS,
    rows: likely.map(({ id, p, logP }) => ({
      heads: [word(id)],
      cells: [
        { value: logP, index: choice.at * generation.vocabulary + id },
        { value: p, text: fixed(p, 4) },
      ],
    })),
  };
}

/** All values of the position in one table: the weights, then the log probabilities. */
export function generationValues({ groups, likely, choice: { at }, word }: GenerationScene, caption: string): Table {
  const row = (what: string, text: string | undefined, value: number | undefined) => ({
    heads: [what, at, text],
    cells: [value],
  });
  return {
    caption,
    head: texts.VALUE_COLUMNS,
    rows: [
      ...groups.flatMap(({ name, words, weights }) =>
        words.map((text, j) => row(texts.GROUPS[name], text, weights?.[j])),
      ),
      ...likely.map(({ id, logP }) => row('log p', word(id), logP)),
    ],
  };
}
