export const root: string;
export function engineSources(): string[];
export function sourceHash(): string;
