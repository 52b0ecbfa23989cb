// Settings with others over them: the same model with a difference, or a model of another kind that learns the same.
import type { Config } from '../types';

/** What is learnt and how, whatever learns it. */
const SHARED = new Set([
  ...['seed', 'task', 'pairs', 'text', 'tokens', 'length', 'longest', 'digits'],
  ...['batch', 'steps', 'optimiser', 'learning_rate', 'schedule', 'warmup', 'clip_norm', 'weight_decay', 'beta2'],
]);

export const isOtherKind = (own: Config, { kind = own.kind }: Config): boolean => kind !== own.kind;

/** Of another kind of model only those that it shares. */
export function variantOf(own: Config, settings: Config): Config {
  const kept = Object.entries(own).filter(([key]) => !isOtherKind(own, settings) || SHARED.has(key));
  return { ...Object.fromEntries(kept), ...settings };
}
