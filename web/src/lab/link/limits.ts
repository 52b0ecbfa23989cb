// What a state may hold at most, in a link as on the bench.

export const MAX_STEPS = 100_000;
/** Bytes of a program; as the engine's. */
export const MAX_PROGRAM = 64 * 1024;
