// The model beside the learner's: the same in all, but with the words as they were.
import { type Experiment, replay } from '../engine/replay';
import type { RemoteSession } from '../engine/remote';
import type { Lab } from '../lab';
import { experimentOf } from '../state/changes';

export interface Base {
  /** What was run, as text. */
  of: string;
  inputs: Float32Array;
  outputs: Float32Array;
}

/** `anchor`: other values of the input than the page's own. */
export function baseExperiment({ page, state }: Lab, input: string, anchor: number[] | null): Experiment {
  const others = state.inputs.filter(({ name }) => name !== input);
  const edits = state.edits.filter(({ name }) => name !== input);
  const inputs = anchor ? [...others, { name: input, values: anchor, at: 0 }] : others;
  return experimentOf(page, { ...state, inputs, edits });
}

export async function runBase(
  session: RemoteSession,
  experiment: Experiment,
  input: string,
): Promise<Omit<Base, 'of'> | null> {
  const made = await replay(session, experiment);
  if (!made.ok) return null;
  const { trace, run } = made.value;
  const node = trace.nodes.find(({ name }) => name === input);
  const [inputs, outputs] = await Promise.all([session.values(node?.id ?? -1), session.values(run.output)]);
  return inputs.ok && outputs.ok ? { inputs: inputs.value, outputs: outputs.value } : null;
}
