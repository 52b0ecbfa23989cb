/** First six digits of the hash of the engine's sources: another engine may give other bits. Empty in tests. */
export const ENGINE: string = (import.meta.env?.UNROLL_ENGINE as string | undefined) ?? '';
