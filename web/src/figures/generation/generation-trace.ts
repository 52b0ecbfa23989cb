// Reads text generation out of a trace: log-probabilities of the next token and attention weights at each position.
import type { Trace, TraceNode } from '../../engine/types';
import { shortName } from '../shared/marks';
import { onceForEach } from '../../lab/cursor/once';

export interface AttentionWeights {
  /** "decoder.1.cross_attention", the same at all positions. */
  name: string;
  /** True for self-attention, false for attention to the source. */
  own: boolean;
  heads: number;
  /** Number of words attended to. */
  width: number;
  /** One α with a row per position, or one α per position. */
  nodes: TraceNode[];
}

export interface GenerationTrace {
  /** log p (B, T, V). */
  logProbs: TraceNode;
  positions: number;
  vocabulary: number;
  /** In execution order. */
  attentions: AttentionWeights[];
}

const PER_POSITION = /\.t(\d+)\.(?=[^/]*$)|\.t(\d+)(?=\.attention$)/;

/** null for a model that generates nothing. */
export const readGeneration = onceForEach((trace: Trace): GenerationTrace | null => {
  const logProbs = trace.nodes.find(({ name, phase }) => phase === 'forward' && /(^|\/)log p$/.test(name));
  const [positions, vocabulary] = logProbs?.shape.slice(-2) ?? [];
  if (!logProbs || logProbs.shape.length < 2 || !positions || !vocabulary) return null;
  const attentions = new Map<string, AttentionWeights>();
  for (const node of trace.nodes) {
    const scope = node.name.slice(0, node.name.lastIndexOf('/'));
    if (node.phase !== 'forward' || shortName(node.name) !== 'α' || /^encoder|^grid/.test(scope)) continue;
    const each = PER_POSITION.exec(scope);
    const [rows, width] = node.shape.slice(-2) as [number, number];
    if (node.shape.length < 2 || (!each && rows !== positions)) continue;
    const name = scope.replace(/\.t\d+/, '');
    const own = /self_attention/.test(name) || (!/cross_attention/.test(name) && !each && width === positions);
    const heads = node.shape.length > 3 ? node.shape[1]! : 1;
    const attention = attentions.get(name) ?? { name, own, heads, width, nodes: [] };
    attention.nodes.push(node);
    attentions.set(name, attention);
  }
  // The engine also collects the weights of all positions, or averages those of all heads, in attention/α.
  const all = [...attentions.values()];
  const single = all.filter(({ name }) => name !== 'attention');
  return { logProbs, positions, vocabulary, attentions: single.length ? single : all };
});

/** The tensor, and the range in it with the weights of one position; undefined if it is not in the trace. */
export function rowOf(
  attention: AttentionWeights,
  position: number,
  head: number,
): { node: TraceNode; from: number; to: number } | undefined {
  const each = attention.nodes.length > 1;
  const node = attention.nodes[each ? position : 0];
  if (!node) return undefined;
  const rows = each ? 1 : node.shape.at(-2)!;
  const from = (head * rows + (each ? 0 : position)) * attention.width;
  return { node, from, to: from + attention.width };
}

/** Index of these weights among the attentions of their sort, counted from the last; 0 if not found. */
export function layerOf({ attentions }: GenerationTrace, weights: TraceNode): number {
  const found = attentions.find(({ nodes }) => nodes.includes(weights));
  const sort = attentions.filter(({ own }) => own === found?.own);
  return found ? sort.length - 1 - sort.indexOf(found) : 0;
}

export interface Likely {
  /** Token id. */
  id: number;
  logP: number;
  p: number;
}

/** The `max` likeliest tokens at a position, likeliest first. */
export function likeliest(row: Float32Array, probabilities: Float32Array, max: number): Likely[] {
  return Array.from(row, (logP, id) => ({ id, logP, p: probabilities[id]! }))
    .sort((a, b) => b.logP - a.logP)
    .slice(0, max);
}
