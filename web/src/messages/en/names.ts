// Names of the engine for what can be chosen: those that are English as they are need no table.

/** "scaled dot" for scaled_dot. */
export const nameOf = (identifier: string): string => identifier.replaceAll('_', ' ');
