// Programs to begin with: for each kind of model that is one, the smallest first; and for each part of a model.
import { EXAMPLES, LABS_OWN } from '#messages/bench/program';
import type { Config } from '../../engine/types';

const FOLDER = '../../../../lessons/programs/';
const FILES = import.meta.glob<string>('../../../../lessons/programs/**/*.py', { query: '?raw', import: 'default' });

/** The text of "gpt" or "parts/score"; undefined if there is none. */
export const programText = (name: string): Promise<string> | undefined => FILES[`${FOLDER}${name}.py`]?.();

export interface Example {
  name: string;
  text: () => Promise<string>;
}

/** What the lab's own part of such a model does. */
export const partText = (kind: unknown, part: unknown): Promise<string> =>
  (programText(`parts/${kind}/${part}`) ?? programText(`parts/${part}`))!;

/** None for a kind that is neither a program nor has a part that is one. */
export function examplesOf({ kind, part }: Config): Example[] {
  if (part !== undefined) return [{ name: LABS_OWN, text: () => partText(kind, part) }];
  const files = Object.entries(EXAMPLES[String(kind) as keyof typeof EXAMPLES] ?? {});
  return files.map(([file, name]) => ({ name, text: () => programText(file)! }));
}
