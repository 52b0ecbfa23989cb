// What a model knows of positions, as its trace has it: a table that is added to the words, queries that are turned, or a
// bias on the scores.
import type { Trace, TraceNode } from '../types';
import { type Flow, isMaskOf } from './attention-trace';
import { shortName } from './marks';

/** Queries before and after they were turned, and the cosines and sines of the angles, (T, K / 2, …). */
export interface Turned {
  raw: TraceNode;
  result: TraceNode;
  cosine: TraceNode;
  sine: TraceNode;
}

export interface PositionTensors {
  /** (T, D) */
  table?: TraceNode;
  turned?: Turned;
  /** Broadcasts against the scores. */
  bias?: TraceNode;
}

/** `read`: values of a leaf, as far as they are known. */
export function positionsOf(
  trace: Trace,
  flow: Flow | null,
  read: (node: TraceNode) => ArrayLike<number> | undefined,
): PositionTensors {
  const table = tableOf(trace);
  const bias = flow?.added.find((node) => {
    const values = /mask/i.test(node.name) ? undefined : read(node);
    return values && !isMaskOf(values);
  });
  const turned = flow && turnedOf(trace, flow.query.result);
  return { ...(table && { table }), ...(turned && { turned }), ...(bias && { bias }) };
}

/** By its name. */
const tableOf = ({ nodes }: Trace): TraceNode | undefined =>
  nodes.find(
    ({ phase, shape, name, role }) =>
      /leaf|forward/.test(phase) &&
      shape.length === 2 &&
      /^(P|positions)$/.test(shortName(name)) &&
      role !== 'parameter',
  );

/** The first of a pair becomes first · cosine − second · sine: the one difference on the way back from the queries. */
function turnedOf(trace: Trace, result: TraceNode): Turned | null {
  const scope = trace.scopes[result.scope];
  if (!scope || !/rotary$/.test(scope.name)) return null;
  const inputs = (node: TraceNode | undefined): TraceNode[] => (node?.inputs ?? []).map((id) => trace.nodes[id]!);
  const inside = trace.nodes
    .slice(scope.first, result.id + 1)
    .filter(({ scope: id, phase }) => id === result.scope && phase === 'forward');
  const difference = inside.find(({ op }) => op === 'subtract');
  const [cosine, sine] = inputs(difference).map((product) => inputs(product).find(({ op }) => op === 'constant'));
  const raw = inputs(inside.find(({ op }) => op === 'reshape'))[0];
  return raw && cosine && sine ? { raw, result, cosine, sine } : null;
}
