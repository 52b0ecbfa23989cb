// Finds attention in a trace: the weights of every attention, and what they were computed from, by the names of tensors
// and by the graph, so that no view depends on a model.
import { attentionIn } from '#messages/figures/shared';
import type { Trace, TraceNode } from '../../../engine/types';
import { planeOf, type Plane } from '../../../ui/grid-layout';
import { isNamed, shortName } from '../marks';

/** A tensor as a projection, source · weight + bias; without a weight it is the source itself. */
export interface Projection {
  result: TraceNode;
  source: TraceNode;
  weight?: TraceNode;
  /** The weight is stored as (out, in). */
  transposed: boolean;
  bias?: TraceNode;
}

/** What every form of attention has. */
export interface AttentionOperands {
  query: Projection;
  key: Projection;
  value: Projection;
  /** (…, T, size), per head. */
  context: TraceNode;
  output?: Projection;
}

/** Attention that holds all weights at once. */
export interface Flow extends AttentionOperands {
  scores: TraceNode;
  /** True if the scores are products of queries and keys. */
  isProduct: boolean;
  /** Added to the scores before the softmax: position biases, masks. */
  added: TraceNode[];
  weights: TraceNode;
}

/** The weights of every attention in the forward pass, in execution order. */
export const attentionsOf = (trace: Trace): TraceNode[] =>
  trace.nodes.filter(({ phase, role, shape }) => phase === 'forward' && role === 'weight' && shape.length > 1);

/** "decoder.1.cross_attention/α" → "decoder 1, cross-attention"; "attention/α" → "attention". */
export function attentionName({ name }: Pick<TraceNode, 'name'>): string {
  const parts = name.split('/')[0]!.replace(/#\d+$/, '').split('.');
  return attentionIn(parts.slice(0, -1), parts.at(-1)!);
}

/** Weights are (T, S), (N, T, S) or (B, N, T, S). */
export const headsOf = ({ shape }: Pick<TraceNode, 'shape'>): number => (shape.length > 2 ? shape.at(-3)! : 1);

/** The plane of a head in a tensor with heads; that of its group where groups of heads share keys and values. */
export function headPlane({ shape }: Pick<TraceNode, 'shape'>, head: number, heads: number): Plane {
  const group = Math.floor((head * headsOf({ shape })) / heads);
  return planeOf(shape, [...shape.slice(0, -3).map(() => 0), ...(shape.length > 2 ? [group] : [])]);
}

/** "decoder.1.attention" for "decoder.1.attention/α". */
export const pathOf = ({ name }: Pick<TraceNode, 'name'>): string => name.slice(0, name.lastIndexOf('/'));

const isParameter = (node: TraceNode): boolean => node.role === 'parameter' && node.phase === 'leaf';
export const isProduct = (node: TraceNode): boolean => node.rule.includes('->');

/** True if the values are only 0, which lets a score through, and −∞, which hides it. */
export const isMaskOf = (values: ArrayLike<number> | undefined): boolean =>
  values !== undefined && Array.from(values).every((value) => value === 0 || value === -Infinity);

/** Walks from tensors back to what they were computed from. */
export class Reader {
  constructor(readonly trace: Trace) {}

  inputs(node: TraceNode): TraceNode[] {
    return node.inputs.map((id) => this.trace.nodes[id]!);
  }

  /** Back through unnamed operations with one non-constant input, to a named tensor where there is one. */
  named(node: TraceNode): TraceNode {
    let at = node;
    while (!isNamed(at) && at.phase !== 'leaf') {
      const [only, ...others] = this.inputs(at).filter(({ op }) => op !== 'constant');
      if (!only || others.length) break;
      at = only;
    }
    return at;
  }

  /** From `node` back to the nearest goal, both included; [] if none. Passes other named tensors only if `through`. */
  path(node: TraceNode, goal: (each: TraceNode) => boolean, through = false): TraceNode[] {
    const from = new Map<number, TraceNode | null>([[node.id, null]]);
    for (const at of this.breadthFirst(node, from, through)) if (goal(at)) return trail(at, from);
    return [];
  }

  *breadthFirst(node: TraceNode, from: Map<number, TraceNode | null>, through: boolean): Generator<TraceNode> {
    const queue = [node];
    for (let at = queue.shift(); at; at = queue.shift()) {
      yield at;
      if (at !== node && !through && isNamed(at)) continue;
      for (const input of this.inputs(at)) if (!from.has(input.id)) queue.push((from.set(input.id, at), input));
    }
  }

  projection(result: TraceNode): Projection {
    const weightOf = (at: TraceNode): TraceNode | undefined =>
      this.inputs(at).find((input) => isParameter(input) && input.shape.length > 1);
    const path = this.path(result, (at) => weightOf(at) !== undefined);
    const at = path.at(-1);
    const weight = at && weightOf(at);
    const input = at && this.inputs(at).find((input) => !isParameter(input));
    if (!at || !weight || !input) return { result, source: this.named(result), transposed: false };
    const beside = path
      .flatMap((each) => this.inputs(each))
      .find((input) => isParameter(input) && input.shape.length === 1);
    return {
      result,
      source: this.named(input),
      weight,
      transposed: isTransposed(at, weight, input),
      ...(beside && { bias: beside }),
    };
  }

  flow(weights: TraceNode): Flow | null {
    const isScore = (node: TraceNode): boolean => node.role === 'score' && node.id !== weights.id;
    const back = this.path(weights, (at) => isScore(at) && !this.inputs(at).some(isScore), true);
    const scores = back.at(-1);
    const context = this.trace.nodes.find(
      (node) => node.phase === 'forward' && isProduct(node) && node.inputs.includes(weights.id),
    );
    const scored = scores ? this.path(scores, isProduct) : [];
    const product = scored.at(-1);
    const value = context?.inputs.find((id) => id !== weights.id);
    if (!scores || !product || !context || value === undefined || product.inputs.length < 2) return null;
    const operands = this.inputs(product).map((node) => this.named(node));
    const isOfTwo = operands.every((each) => this.isProjection(each)) && this.isScaled(scored);
    const [query, key] = isOfTwo ? operands : this.queryAndKeyByName(scores);
    if (!query || !key) return null;
    return {
      query: this.projection(query),
      key: this.projection(key),
      value: this.projection(this.named(this.trace.nodes[value]!)),
      scores,
      isProduct: isOfTwo,
      added: this.added(back),
      weights,
      context,
      output: this.output(context),
    };
  }

  /** A named tensor, or its product with a parameter; no unit vector, which some scores divide first. */
  private isProjection(node: TraceNode): boolean {
    return !isParameter(node) && (isNamed(node) || this.inputs(node).some(isParameter));
  }

  /** Only constants enter on the way from the last of the path to its first. */
  private isScaled(path: readonly TraceNode[]): boolean {
    const beside = path.slice(0, -1).flatMap((each) => this.inputs(each).filter((input) => !path.includes(input)));
    return beside.every(({ op }) => op === 'constant');
  }

  /** Queries and keys of scores that are not their product, found by name. */
  private queryAndKeyByName(scores: TraceNode): (TraceNode | undefined)[] {
    return ['q', 'k'].map((letter) =>
      this.path(scores, ({ name }) => shortName(name).toLowerCase() === letter, true).at(-1),
    );
  }

  /** What is added to the scores on their way into the softmax, in execution order. */
  private added(back: readonly TraceNode[]): TraceNode[] {
    const adds = back.filter(({ op }) => op === 'add');
    return adds.flatMap((add) => this.inputs(add).filter((input) => !back.includes(input))).reverse();
  }

  output(context: TraceNode): Projection | undefined {
    const last = this.trace.nodes.find(({ name, id }) => name === `${pathOf(context)}/o` && id > context.id);
    const projection = last && this.projection(last);
    return projection?.weight ? projection : undefined;
  }
}

function trail(end: TraceNode, from: Map<number, TraceNode | null>): TraceNode[] {
  const path: TraceNode[] = [];
  for (let at: TraceNode | null | undefined = end; at; at = from.get(at.id)) path.unshift(at);
  return path;
}

/** By the letters of the product's rule; for an operation without letters by shapes and the parameter's name. */
function isTransposed(product: TraceNode, weight: TraceNode, input: TraceNode): boolean {
  const [terms = '', result = ''] = product.rule.split('->');
  if (!result) return weight.shape[0] !== input.shape.at(-1) || weight.name.endsWith('.weight');
  const own = terms.split(',')[product.inputs.indexOf(weight.id)];
  return own?.at(-1) !== result.at(-1);
}

const cache = new WeakMap<TraceNode, Flow | null>();

/** What these weights were computed from; null if not from queries, keys and values. */
export function flowOf(trace: Trace, weights: TraceNode): Flow | null {
  if (!cache.has(weights)) cache.set(weights, new Reader(trace).flow(weights));
  return cache.get(weights)!;
}

export const isPlanar = ({ shape }: Pick<TraceNode, 'shape'>): boolean => shape.length > 1 && shape.at(-1) === 2;

/** Query and keys of two numbers each. */
export const hasPlanarKeys = ({ query, key }: AttentionOperands): boolean =>
  isPlanar(query.result) && isPlanar(key.result);

const planar = new WeakMap<Trace, TraceNode[]>();

/** The weights whose query and keys, or whose values, can be drawn as arrows. */
export function planarAttentions(trace: Trace): TraceNode[] {
  const isDrawn = (weights: TraceNode): boolean => {
    const flow = flowOf(trace, weights);
    return flow !== null && (hasPlanarKeys(flow) || isPlanar(flow.value.result));
  };
  if (!planar.has(trace)) planar.set(trace, attentionsOf(trace).filter(isDrawn));
  return planar.get(trace)!;
}
