import type { Config } from './types';

/** Equal for equal settings, in whatever order. */
export const configKey = (config: Config): string =>
  JSON.stringify(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)));
