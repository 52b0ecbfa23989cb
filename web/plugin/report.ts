// `lab lessons`: prints what can be counted in each lesson as a table, and writes it as JSON; or tries the lessons' claims.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { claimLine, outcomeLine, verdict } from './claim-lines';
import { engineFile, moduleIn } from './engine-module';
import { hasBench, type Lesson } from './lesson';
import { lessonsFolder, readLibrary } from './library';
import { slugOf } from './links';
import { measured } from './measure';
import { openSession } from './session';
import { tableOf } from './table';
import { tryClaim } from './try-claim';
import { workOf, type Weights } from './work';

/** Tests have lessons of their own. */
const folder = process.env.UNROLL_LESSONS_FOLDER ?? lessonsFolder;

const weightsOf: Weights = (lesson) => readFileSync(join(folder, lesson.folder, lesson.head.trained!.weights));

function measure(all: readonly Lesson[], file?: string): void {
  const found = all.map((lesson) => measured(lesson, folder));
  if (file) writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
  console.log(tableOf(found));
}

/** Prints each outcome as soon as it is there. Exits with 1 if a claim does not hold. */
async function tryClaims(lessons: readonly Lesson[]): Promise<void> {
  const session = openSession(await moduleIn(engineFile));
  let [made, broken] = [0, 0];
  for (const lesson of lessons.filter(hasBench)) {
    const work = workOf(lesson, weightsOf);
    for (const [name, claim] of Object.entries(lesson.head.claims)) {
      console.log(claimLine(lesson, name));
      let holds = true;
      for (const seed of claim.seeds ?? [lesson.head.seed]) {
        const outcome = await tryClaim(session, work, claim, seed);
        console.log(outcomeLine(outcome));
        holds &&= !outcome.broken.length;
      }
      made++;
      if (!holds) broken++;
    }
  }
  console.log(verdict(made, broken));
  if (broken) process.exitCode = 1;
}

/** @param typed "softmax", "01-softmax" or "lessons/01-softmax"; all without it. */
function named(all: readonly Lesson[], typed?: string): readonly Lesson[] {
  if (!typed) return all;
  const found = all.filter(({ slug }) => slug === slugOf(basename(typed)));
  if (!found.length)
    throw new Error(`There is no lesson "${typed}": use one of ${all.map(({ slug }) => slug).join(', ')}.`);
  return found;
}

const [option, value] = process.argv.slice(2);
const all = await readLibrary(folder);
if (option === '--claims') await tryClaims(named(all, value));
else measure(all, value);
