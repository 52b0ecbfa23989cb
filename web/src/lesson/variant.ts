// Settings with overrides: a variant of the same model, or a model of another kind that learns the same task.
import type { Config } from '../engine/types';

/** Settings of the task and its training, whatever the model. */
const SHARED = new Set([
  ...['seed', 'task', 'pairs', 'text', 'tokens', 'length', 'longest', 'digits'],
  ...['batch', 'steps', 'optimiser', 'learning_rate', 'schedule', 'warmup', 'clip_norm', 'weight_decay', 'beta2'],
]);

export const isOtherKind = (own: Config, { kind = own.kind }: Config): boolean => kind !== own.kind;

/** `settings` over `own`; if they set another kind of model, only the shared settings of `own` are kept. */
export function variantOf(own: Config, settings: Config): Config {
  const kept = Object.entries(own).filter(([key]) => !isOtherKind(own, settings) || SHARED.has(key));
  return { ...Object.fromEntries(kept), ...settings };
}
