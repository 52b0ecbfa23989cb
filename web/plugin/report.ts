// `lab lessons`: prints what can be counted in each lesson, as a table, and writes it as JSON.
import { writeFileSync } from 'node:fs';
import { lessonsFolder, readLibrary } from './library';
import { measured } from './measure';
import { tableOf } from './table';

/** @param file Where to write the same as JSON. */
async function measure(file?: string): Promise<string> {
  const all = (await readLibrary()).map((lesson) => measured(lesson, lessonsFolder));
  if (file) writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  return tableOf(all);
}

/** Here, because what Vite has imported can import nothing later. */
export const report = await measure(process.argv[3]);
