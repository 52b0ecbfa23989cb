// Reads a model's position encoding out of its trace: a table added to the embeddings, rotated queries, or a bias on
// the scores.
import type { Trace, TraceNode } from '../../engine/types';
import { type Flow, isMaskOf } from '../shared/attention/attention-trace';
import { shortName } from '../shared/marks';

/** Queries before and after the rotation, and the cosines and sines of the angles (T, K/2, 1). */
export interface Rotated {
  raw: TraceNode;
  result: TraceNode;
  cosine: TraceNode;
  sine: TraceNode;
}

export interface PositionTensors {
  /** (T, D) */
  table?: TraceNode;
  rotated?: Rotated;
  /** Broadcasts against the scores. */
  bias?: TraceNode;
}

/** `read`: values of a node, undefined until reached. */
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
  const rotated = flow && rotatedOf(trace, flow.query.result);
  return { ...(table && { table }), ...(rotated && { rotated }), ...(bias && { bias }) };
}

/** Found by its name. */
const tableOf = ({ nodes }: Trace): TraceNode | undefined =>
  nodes.find(
    ({ phase, shape, name, role }) =>
      /leaf|forward/.test(phase) &&
      shape.length === 2 &&
      /^(P|positions)$/.test(shortName(name)) &&
      role !== 'parameter',
  );

/** The first of a pair becomes first · cosine − second · sine: the only subtraction in the scope of the rotation. */
function rotatedOf(trace: Trace, result: TraceNode): Rotated | null {
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
