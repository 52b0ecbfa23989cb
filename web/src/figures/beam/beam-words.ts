// A beam search in words, and as tables: its hypotheses, and all its nodes.
import * as texts from '#messages/figures/beam';
import { fixed, significant } from '../../ui/numbers';
import { marked } from '../../ui/words';
import type { Table } from '../host/tables';
import { type BeamNode, type BeamTreeData, hypothesesOf, pathTo } from './beam-tree-layout';

/** The most hypotheses in the summary. */
const MAX_TOLD = 5;

export const probabilityText = (node: BeamNode): string => fixed(node.probability, 2);

/** The tokens after the root. */
const sequence = ({ nodes }: BeamTreeData, i: number): string =>
  pathTo(nodes, i)
    .slice(1)
    .map((at) => marked(nodes[at]!.token))
    .join(' ');

/** "je suis <eos>: p 0.78, log p of the whole sequence −1.00, finished, the best" */
export function tellNode(data: BeamTreeData, i: number): string {
  const node = data.nodes[i]!;
  const odds = { p: probabilityText(node), logP: fixed(node.score, 2) };
  return texts.prefix({
    ...{ words: sequence(data, i) || marked(node.token), state: node.state, isBest: i === data.best },
    ...(node.parent >= 0 && { odds }),
  });
}

export function tellTree(data: BeamTreeData): string {
  const dropped = data.nodes.filter(({ state }) => state === 'pruned').length;
  const ends = hypothesesOf(data).slice(0, MAX_TOLD);
  const best = ends.map((i) => ({ words: sequence(data, i), logP: fixed(data.nodes[i]!.score, 2) }));
  return texts.tree(data.nodes.length - 1, dropped, best);
}

export function hypothesisTable(data: BeamTreeData): Table {
  const row = (i: number, rank: number): Table['rows'][number] => {
    const { score, sequenceProbability: p, state } = data.nodes[i]!;
    return {
      heads: [rank + 1, sequence(data, i)],
      cells: [{ value: score, text: fixed(score, 4) }, { value: p, text: significant(p, 3) }, texts.STATES[state]],
    };
  };
  return {
    caption: texts.HYPOTHESES,
    quiet: true,
    kind: 'worded',
    head: texts.HYPOTHESIS_COLUMNS,
    rows: hypothesesOf(data).map(row),
  };
}

export const nodeTable = ({ nodes }: BeamTreeData): Table => ({
  caption: texts.NODES,
  head: texts.NODE_COLUMNS,
  rows: nodes.map((n, i) => ({
    heads: [i],
    cells: [n.parent, n.token, n.logProbability, n.score, texts.STATES[n.state]],
  })),
});
