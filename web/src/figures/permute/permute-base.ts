// Reference run beside the learner's model: the same experiment with the words in their original order.
import { type Experiment, replay } from '../../engine/replay';
import type { RemoteSession } from '../../engine/remote';
import type { Lab } from '../../lab/lab';
import { experimentOf } from '../../lab/changes';

export interface Base {
  /** The experiment that was run, as JSON. */
  key: string;
  inputs: Float32Array;
  outputs: Float32Array;
}

/** The learner's experiment without changes to `input`; `anchor` replaces its values, null keeps the page's own. */
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
): Promise<Omit<Base, 'key'> | null> {
  const answer = await replay(session, experiment);
  if (!answer.ok) return null;
  const { trace, run } = answer.value;
  const node = trace.nodes.find(({ name }) => name === input);
  const [inputs, outputs] = await Promise.all([session.values(node?.id ?? -1), session.values(run.output)]);
  return inputs.ok && outputs.ok ? { inputs: inputs.value, outputs: outputs.value } : null;
}
