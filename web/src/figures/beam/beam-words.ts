// A beam search in words, and as tables: its hypotheses, and all its nodes.
import { fixed, significant } from '../../ui/numbers';
import { marked } from '../../ui/token';
import type { Table } from '../host/tables';
import { type BeamNode, type BeamTreeData, hypothesesOf, pathTo } from './beam-tree-layout';

const STATES: Record<BeamNode['state'], string> = { kept: 'kept', pruned: 'dropped', finished: 'finished' };
/** Hypotheses that are told at a glance. */
const MOST_TOLD = 5;

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
  const own =
    node.parent < 0 ? '' : `: p ${probabilityText(node)}, log p of the whole sequence ${fixed(node.score, 2)}`;
  const rank = i === data.best ? ', the best' : '';
  return `${sequence(data, i) || marked(node.token)}${own}, ${STATES[node.state]}${rank}`;
}

export function tellTree(data: BeamTreeData): string {
  const dropped = data.nodes.filter(({ state }) => state === 'pruned').length;
  const ends = hypothesesOf(data).slice(0, MOST_TOLD);
  const texts = ends.map((i) => `${sequence(data, i)}, log p ${fixed(data.nodes[i]!.score, 2)}`);
  return `A tree of ${data.nodes.length - 1} prefixes, ${dropped} of them dropped. Hypotheses, best first: ${texts.join('; ')}.`;
}

export function hypothesisTable(data: BeamTreeData): Table {
  const row = (i: number, rank: number): Table['rows'][number] => {
    const { score, sequenceProbability: p, state } = data.nodes[i]!;
    return {
      heads: [rank + 1, sequence(data, i)],
      cells: [{ value: score, text: fixed(score, 4) }, { value: p, text: significant(p, 3) }, STATES[state]],
    };
  };
  return {
    caption: 'Hypotheses of the beam search, best first',
    quiet: true,
    kind: 'worded',
    head: ['rank', 'hypothesis', 'score (log p)', 'p', 'state'],
    rows: hypothesesOf(data).map(row),
  };
}

export const nodeTable = ({ nodes }: BeamTreeData): Table => ({
  caption: 'Nodes of the beam search',
  head: ['node', 'parent', 'token', 'log probability', 'score', 'state'],
  rows: nodes.map((n, i) => ({ heads: [i], cells: [n.parent, n.token, n.logProbability, n.score, STATES[n.state]] })),
});
