// Programs to begin with: for each kind of model that is one, the smallest first; and for each part of a model.
import { EXAMPLES } from '#messages/bench/program';

const FOLDER = '../../../../lessons/programs/';
const FILES = import.meta.glob<string>('../../../../lessons/programs/**/*.py', { query: '?raw', import: 'default' });

/** The text of "gpt" or "parts/score"; undefined if there is none. */
export const programText = (name: string): Promise<string> | undefined => FILES[`${FOLDER}${name}.py`]?.();

export interface Example {
  name: string;
  text: () => Promise<string>;
}

/** None for a kind that is no program. */
export const examplesOf = (kind: unknown): Example[] =>
  Object.entries(EXAMPLES[String(kind) as keyof typeof EXAMPLES] ?? {}).map(([file, name]) => ({
    name,
    text: () => programText(file)!,
  }));
