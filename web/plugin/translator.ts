// The translator of the front page and of the lesson without a model, as a page shows it before it is touched: what the model
// of another lesson really writes, and where it looks. And the file of its weights that the page loads then.
import * as texts from '#messages/translator';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { BOX, linksOf, mostMoved } from '../src/app/front/links';
import { readerOf, UNCHANGED, write, type Calls, type Read, type Written } from '../src/app/front/writing';
import { moduleOf } from '../src/engine/kinds';
import { traceOf } from '../src/engine/trace';
import type { Config, EngineSession } from '../src/engine/types';
import { escape } from '../src/ui/escape';
import { italics } from '../src/app/front/italics';
import { moduleFile, moduleIn, valueOf } from './engine-module';
import { hasBench, type BenchLesson, type Lesson } from './lesson';
import { lessonsFolder } from './library';

/** The lesson whose model it is. */
export const TRANSLATING = 'alignment';

/** Of its parameters alone, beside the weights of that lesson. */
export const TRANSLATOR_FILE = 'translator.safetensors';

/** What the page needs to know of the model. */
export interface TranslatorModel {
  config: Config;
  source: string;
  weights: Uint8Array;
  /** Of what is fetched when a word is pressed. */
  kilobytes: number;
}

export function modelOf({ folder, head }: BenchLesson): TranslatorModel {
  const config = { ...head.model, seed: head.seed };
  const weights = parametersOf(readFileSync(join(lessonsFolder, folder, head.trained!.weights)));
  const module = gzipSync(readFileSync(moduleFile(moduleOf(config), 'wasm'))).length;
  return { config, source: head.pair![0], weights, kilobytes: Math.round((module + weights.length) / 1024) };
}

const LENGTH_BYTES = 8;

interface Entry {
  data_offsets: [number, number];
}

/** A checkpoint without what only further training needs: a third of the bytes. The parameters stand first in it. */
export function parametersOf(checkpoint: Buffer): Uint8Array {
  const start = LENGTH_BYTES + Number(checkpoint.readBigUInt64LE(0));
  const { __metadata__: about, ...tensors } = JSON.parse(checkpoint.toString('utf8', LENGTH_BYTES, start)) as Record<
    string,
    Entry
  >;
  const kept = Object.entries(tensors).filter(([name]) => !name.startsWith('optimiser.'));
  const end = Math.max(...kept.map(([, { data_offsets }]) => data_offsets[1]));
  const header = JSON.stringify({ __metadata__: { ...about, steps: '0' }, ...Object.fromEntries(kept) });
  const padded = Buffer.from(header.padEnd(Math.ceil(header.length / LENGTH_BYTES) * LENGTH_BYTES));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded, checkpoint.subarray(start, start + end)]);
}

/** A session of the engine in Node, as the writing expects one. */
export const callsOf = (session: EngineSession): Calls => ({
  read: async (source, target) => valueOf(session.read(source, target)),
  setEdits: async (edits) => valueOf(session.setEdits(edits)),
  trace: async () => traceOf(valueOf(session.trace())),
  values: async (id) => valueOf(session.values(id)),
});

/** The model, loaded in Node: what it reads, and what it writes of its own accord. */
export async function openTranslator({ config, source, weights }: TranslatorModel): Promise<[Read, Written]> {
  const engine = await moduleIn(moduleFile(moduleOf(config), 'mjs'));
  const session = new engine.Session();
  valueOf(session.load(config));
  valueOf(session.restore(weights));
  const read = readerOf(callsOf(session), source, valueOf(session.task()).targetWords);
  const { target } = valueOf(session.read(source, ''));
  return [read, (await write(read, target, UNCHANGED))!];
}

export const translatingIn = (lessons: readonly Lesson[]): BenchLesson | undefined =>
  lessons.filter(hasBench).find(({ slug }) => slug === TRANSLATING);

/**
 * Its drawing; "" while its lesson cannot be read.
 * @param root The way from the page to the root of the site.
 */
export async function translatorOf(lessons: readonly Lesson[], root: string): Promise<string> {
  const lesson = translatingIn(lessons);
  if (!lesson) return '';
  const model = modelOf(lesson);
  const [, written] = await openTranslator(model);
  const lit = mostMoved(written.weights, written.words.length);
  const data = {
    config: JSON.stringify(model.config),
    source: model.source,
    target: written.words.join(' '),
    weights: `${root}lessons/${lesson.slug}/${TRANSLATOR_FILE}`,
    kilobytes: String(model.kilobytes),
  };
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escape(value)}"`);
  return `<u-translator role="group" aria-label="${texts.TRANSLATOR}"${attributes.join('')}>${drawing(model.source.split(' '), written, lit)}</u-translator>`;
}

function drawing(source: readonly string[], { words, weights }: Written, lit: number): string {
  const row = weights[lit]!;
  const at = row.indexOf(Math.max(...row));
  return `
  <p class="cap"><span>${texts.ENGLISH_IN}</span> <span class="do">${texts.PRESS_TO_HIDE}</span></p>
  <div class="area">
    <div class="words read" role="group" lang="en" aria-label="${texts.ENGLISH}" style="--count: ${source.length}">${source.map((word) => button(word)).join('')}</div>
    <svg viewBox="0 0 ${BOX.width} ${BOX.height}" preserveAspectRatio="none" aria-hidden="true">${linksOf(weights, words.length, lit).map(linkPath).join('')}</svg>
    <div class="words written" role="group" lang="fr" aria-label="${texts.FRENCH}" style="--count: ${words.length}">${words.map((word, t) => button(word, t === lit ? ' lit' : '')).join('')}</div>
  </div>
  <div class="below"><p class="say" aria-live="polite">${italics(escape(texts.learnedWhere(words[lit]!, source[at]!, row[at]!)))}</p><span class="undo"></span></div>
`;
}

const button = (word: string, state = ''): string =>
  `<button type="button" class="w${state}" aria-pressed="false">${escape(word)}</button>`;

const linkPath = ({ path, weight, lit }: ReturnType<typeof linksOf>[number]): string =>
  `<path d="${path}" style="--p: ${weight.toFixed(3)}"${lit ? ' class="lit"' : ''} />`;
