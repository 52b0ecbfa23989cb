// The files of the learner's language that are written in it, such as nn: fetched once for all modules that run programs.
import type { Engine } from './types';

/** The engine, with these files. */
export async function withLibrary<Started>(starting: Promise<Started>): Promise<Started> {
  const [engine, { default: files }] = await Promise.all([starting, import('./library-files')]);
  for (const [file, text] of Object.entries(files)) (engine as unknown as Engine).addToLibrary!(file, text);
  return engine;
}
