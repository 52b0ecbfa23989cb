// Programs to begin with, for each kind of model that is one: the smallest first.
import { EXAMPLES } from '#messages/bench/program';

const FILES = import.meta.glob<string>('../../../../lessons/programs/*.py', { query: '?raw', import: 'default' });

export interface Example {
  name: string;
  text: () => Promise<string>;
}

/** None for a kind that is no program. */
export const examplesOf = (kind: unknown): Example[] =>
  Object.entries(EXAMPLES[String(kind) as keyof typeof EXAMPLES] ?? {}).map(([file, name]) => ({
    name,
    text: FILES[`../../../../lessons/programs/${file}.py`]!,
  }));
