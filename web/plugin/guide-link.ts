// The address of the workbench in the state that the guide names.
import type { Config } from '../src/engine/types';
import { encodeLink } from '../src/lab/link/link';
import { CHOICES, startOf } from '../src/workbench/models';
import { recipe, type Recipes } from '../src/workbench/settings';

export interface Opening {
  kind: string;
  task?: string;
  part?: string;
  /** Other settings. */
  given: Config;
  program?: string;
}

const WORKBENCH = '../../workbench/';

/** Throws BadLink for a state that no link can hold, and an Error for a kind that the workbench does not offer. */
export async function addressOf(opening: Opening, recipes: Recipes): Promise<string> {
  const config = await settingsOf(opening, recipes);
  const { program } = opening;
  return WORKBENCH + (await encodeLink({ lesson: '', config, ...(program !== undefined && { program }) }));
}

/** What the workbench sets when the kind, the task and the part are chosen there. */
async function settingsOf({ kind, task, part, given, program }: Opening, recipes: Recipes): Promise<Config> {
  const choice = CHOICES.find((each) => each.kind === kind);
  if (!choice) throw new Error(`The workbench has no model of the kind "${kind}".`);
  const isProgram = kind.startsWith('program');
  if (program === undefined && (isProgram || part !== undefined))
    throw new Error('The link opens a program: give its "file".');
  const learnt = task === undefined ? {} : { task, ...(await recipe(recipes, task, { kind })) };
  // Only the page can fetch the program that such a model begins with, and the guide's takes its place.
  const start = isProgram ? { kind } : await startOf(choice, recipes);
  return { ...start, ...learnt, ...given, ...(part !== undefined && { part }) };
}
