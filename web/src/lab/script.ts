// The script for PyTorch of the loaded program: with its weights, and its inputs as they are now. Loaded with the first.
import type { RemoteSession } from '../engine/remote';
import type { Config, NamedTensor, Reply, TraceNode } from '../engine/types';

export async function scriptOf(
  session: RemoteSession,
  leaves: readonly TraceNode[],
  config: Config,
): Promise<Reply<string>> {
  const saved = await session.save();
  if (!saved.ok) return saved;
  const inputs: NamedTensor[] = [];
  for (const { id, name, shape } of leaves) {
    const values = await session.values(id);
    if (!values.ok) return values;
    inputs.push({ name, shape, values: values.value });
  }
  return session.pytorchScript(config, saved.value, inputs);
}
