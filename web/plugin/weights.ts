// `lab train lessons/NN-name`: trains the model of a lesson as its front matter says, and saves the weights beside it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readLesson } from './lesson';
import { lessonsFolder, readContext } from './library';
import type { MainModule } from '../../bindings/engine';
import type { Reply } from '../src/engine/types';

/** Name of the weights file in the front matter, which may not exist yet. */
const nameIn = (text: string): string[] => /\bweights:\s*["']?([\w-]+\.safetensors)/.exec(text)?.slice(1) ?? [];

function ok<T>(reply: unknown): T {
  const result = reply as Reply<T>;
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

/** @param folder As it was typed: "03-seq2seq" or "lessons/03-seq2seq/". Throws an Error of one sentence. */
export async function writeWeights(folder: string, engine: MainModule): Promise<string> {
  const slug = basename(folder);
  const file = join(lessonsFolder, slug, 'lesson.md');
  if (!existsSync(file))
    throw new Error(`There is no lesson "${slug}": use one of ${readContext().lessons.join(', ')}.`);
  const text = readFileSync(file, 'utf8');
  const { head } = await readLesson(slug, text, { ...readContext(), weights: new Map([[slug, nameIn(text)]]) });
  if (!head.trained) throw new Error(`The front matter of ${slug} has no "trained": add it, with steps and weights.`);
  const { steps, weights } = head.trained;
  const session = new engine.Session();
  ok(session.load({ ...head.model, seed: head.seed }));
  const { loss, accuracy } = ok<{ loss: number; accuracy: number }>(session.train(steps));
  const bytes = ok<Uint8Array>(session.save());
  writeFileSync(join(lessonsFolder, slug, weights), bytes);
  const kilobytes = Math.round(bytes.length / 1024);
  return `lessons/${slug}/${weights}: ${kilobytes} KB, ${steps} steps, loss ${loss.toFixed(4)}, accuracy ${accuracy.toFixed(4)}`;
}
