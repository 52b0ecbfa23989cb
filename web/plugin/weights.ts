// `lab train lessons/LESSON`: trains the model of a lesson as its front matter says, and saves the weights beside it.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { engineFile, moduleIn, valueOf } from './engine-module';
import { hasBench, readLesson } from './lesson';
import { lessonsFolder, readContext } from './library';
import { folderOf, slugOf } from './links';

/** Name of the weights file in the front matter, which may not exist yet. */
const nameIn = (text: string): string[] => /\bweights:\s*["']?([\w-]+\.safetensors)/.exec(text)?.slice(1) ?? [];

/** @param typed "seq2seq", "06-seq2seq" or "lessons/06-seq2seq/". Throws an Error of one sentence. */
async function writeWeights(typed: string): Promise<string> {
  const context = readContext();
  const name = basename(typed);
  const folder = folderOf(slugOf(name), context.folders);
  if (!folder) throw new Error(`There is no lesson "${name}": use one of ${context.folders.join(', ')}.`);
  const text = readFileSync(join(lessonsFolder, folder, 'lesson.md'), 'utf8');
  const lesson = await readLesson(folder, text, { ...context, weights: new Map([[folder, nameIn(text)]]) });
  if (!hasBench(lesson) || !lesson.head.trained)
    throw new Error(`The front matter of ${folder} has no "trained": add it, with steps and weights.`);
  const { head } = lesson;
  const { steps, weights } = lesson.head.trained;
  const session = new (await moduleIn(engineFile)).Session();
  valueOf(session.load({ ...head.model, seed: head.seed }));
  const { loss, accuracy } = valueOf(session.train(steps));
  const bytes = valueOf(session.save());
  writeFileSync(join(lessonsFolder, folder, weights), bytes);
  const kilobytes = Math.round(bytes.length / 1024);
  return `lessons/${folder}/${weights}: ${kilobytes} KB, ${steps} steps, loss ${loss.toFixed(4)}, accuracy ${accuracy.toFixed(4)}`;
}

/** Here, because what Vite has imported can import nothing later. */
export const report = await writeWeights(process.argv[2]!);
