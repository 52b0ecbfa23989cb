export function engineSources(): string[];
export function sourceHash(): string;
