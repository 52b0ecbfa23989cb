// `lab train lessons/NN-name`: trains the model of a lesson as its front matter says, and leaves the weights beside it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readLesson } from './lesson';
import { lessonsFolder, readWorld } from './library';
import type { MainModule } from '../../bindings/engine';
import type { Reply } from '../src/types';

/** Of the file that may not be there yet. */
const nameIn = (text: string): string[] => /\bweights:\s*["']?([\w-]+\.safetensors)/.exec(text)?.slice(1) ?? [];

function ok<T>(reply: unknown): T {
  const said = reply as Reply<T>;
  if (!said.ok) throw new Error(said.message);
  return said.value;
}

/** @param folder As it was typed: "03-seq2seq" or "lessons/03-seq2seq/". Throws an Error of one sentence. */
export async function writeWeights(folder: string, engine: MainModule): Promise<string> {
  const slug = basename(folder);
  const file = join(lessonsFolder, slug, 'lesson.md');
  if (!existsSync(file)) throw new Error(`There is no lesson "${slug}": use one of ${readWorld().lessons.join(', ')}.`);
  const text = readFileSync(file, 'utf8');
  const { head } = await readLesson(slug, text, { ...readWorld(), weights: new Map([[slug, nameIn(text)]]) });
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
