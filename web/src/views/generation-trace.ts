// What a trace knows about how a text is written: at each position the words likely next, and where it looked.
import type { Trace, TraceNode } from '../types';
import { shortName } from './marks';

export interface Gaze {
  /** "decoder.1.cross_attention", the same at all positions. */
  name: string;
  /** At its own words, or at the source. */
  own: boolean;
  heads: number;
  /** How many words it has a weight for. */
  width: number;
  /** α, which has all positions, or one for each. */
  nodes: TraceNode[];
}

export interface Writing {
  /** log p (B, T, V). */
  likely: TraceNode;
  positions: number;
  vocabulary: number;
  /** In the order in which they are computed. */
  gazes: Gaze[];
}

const EACH = /\.t(\d+)\.(?=[^/]*$)|\.t(\d+)(?=\.attention$)/;

/** null for a model that writes nothing. */
export function readWriting(trace: Trace): Writing | null {
  const likely = trace.nodes.find(({ name, phase }) => phase === 'forward' && /(^|\/)log p$/.test(name));
  const [positions, vocabulary] = likely?.shape.slice(-2) ?? [];
  if (!likely || likely.shape.length < 2 || !positions || !vocabulary) return null;
  const gazes = new Map<string, Gaze>();
  for (const node of trace.nodes) {
    const scope = node.name.slice(0, node.name.lastIndexOf('/'));
    if (node.phase !== 'forward' || shortName(node.name) !== 'α' || /^encoder|^grid/.test(scope)) continue;
    const each = EACH.exec(scope);
    const [rows, width] = node.shape.slice(-2) as [number, number];
    if (node.shape.length < 2 || (!each && rows !== positions)) continue;
    const name = scope.replace(/\.t\d+/, '');
    const own = /self_attention/.test(name) || (!/cross_attention/.test(name) && !each && width === positions);
    const gaze = gazes.get(name) ?? { name, own, heads: node.shape.length > 3 ? node.shape[1]! : 1, width, nodes: [] };
    gaze.nodes.push(node);
    gazes.set(name, gaze);
  }
  // What positions or heads saw is put together once more at the end, for evaluation.
  const all = [...gazes.values()];
  const single = all.filter(({ name }) => name !== 'attention');
  return { likely, positions, vocabulary, gazes: single.length ? single : all };
}

/** The tensor and the part of it that says where a position looked; undefined where it is not in the trace. */
export function rowOf(
  gaze: Gaze,
  position: number,
  head: number,
): { node: TraceNode; from: number; to: number } | undefined {
  const each = gaze.nodes.length > 1;
  const node = gaze.nodes[each ? position : 0];
  if (!node) return undefined;
  const rows = each ? 1 : node.shape.at(-2)!;
  const from = (head * rows + (each ? 0 : position)) * gaze.width;
  return { node, from, to: from + gaze.width };
}

/** Which attention of its sort these weights are, counted from the last. */
export function layerOf({ gazes }: Writing, weights: TraceNode): number {
  const found = gazes.find(({ nodes }) => nodes.includes(weights));
  const sort = gazes.filter(({ own }) => own === found?.own);
  return found ? sort.length - 1 - sort.indexOf(found) : 0;
}

export interface Likely {
  /** In the vocabulary. */
  id: number;
  logP: number;
  p: number;
}

/** The likeliest words at a position, the likeliest first. */
export function likeliest(row: Float32Array, probabilities: Float32Array, most: number): Likely[] {
  return Array.from(row, (logP, id) => ({ id, logP, p: probabilities[id]! }))
    .sort((a, b) => b.logP - a.logP)
    .slice(0, most);
}
