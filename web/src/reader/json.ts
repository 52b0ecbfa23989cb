// Reads JSON lines: one object a line, whose keys name the source and the target.
import { kindOfJson, NOT_JSON, notText, noKey, OPEN_JSON } from '#messages/reader';
import type { LeftOut, Row } from './rows';

/** Keys that data sets give their two sides, the source first. */
export const NAMED: readonly (readonly [source: string, target: string])[] = [
  ['source', 'target'],
  ['src', 'tgt'],
  ['src', 'trg'],
  ['input', 'output'],
  ['question', 'answer'],
  ['prompt', 'completion'],
  ['instruction', 'output'],
];

type Json = Record<string, unknown>;

interface JsonLine {
  line: number;
  /** Or why it is none. */
  object: Json | string;
}

const ENOUGH = 0.5;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null for a text that is not JSON lines. */
export function jsonTable(text: string): { rows: Row[]; leftOut: LeftOut[]; keys: string[] } | null {
  if (!text.trimStart().startsWith('{')) return null;
  const lines = text.split('\n').map((each, i) => ({ line: i + 1, text: each.trim() }));
  const filled = lines.filter((each) => each.text !== '');
  const read = filled.map(({ line, text }): JsonLine => ({ line, object: objectIn(text) }));
  const objects = read.map(({ object }) => object).filter(isObject);
  if (objects.length < ENOUGH * filled.length) return null;
  const keys = keysOf(objects);
  const rows: Row[] = [];
  const leftOut: LeftOut[] = [];
  for (const { line, object } of read) {
    const why = typeof object === 'string' ? object : faultIn(object, keys);
    if (why) leftOut.push({ line, why });
    else rows.push({ line, cells: keys.map((key) => String((object as Json)[key])) });
  }
  return { rows, leftOut, keys };
}

/** Some data sets have both sides in an object of their own: {"translation": {"en": "…", "fr": "…"}}. */
function objectIn(line: string): Json | string {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return NOT_JSON;
    return isObject(value.translation) ? value.translation : value;
  } catch {
    return line.endsWith('}') ? NOT_JSON : OPEN_JSON;
  }
}

/** Those of a known pair that most objects have, else the first two that hold texts. */
function keysOf(objects: readonly Json[]): string[] {
  const named = NAMED.find(
    (keys) => objects.filter((each) => keys.every((key) => key in each)).length * 2 >= objects.length,
  );
  if (named) return [...named];
  const texts = (object: Json): string[] => Object.keys(object).filter((key) => typeof object[key] === 'string');
  return (objects.map(texts).find((keys) => keys.length >= 2) ?? NAMED[0]!).slice(0, 2);
}

function faultIn(object: Json, keys: readonly string[]): string {
  for (const key of keys) {
    if (!Object.hasOwn(object, key)) return noKey(key);
    if (typeof object[key] !== 'string') return notText(key, kindOfJson(object[key]));
  }
  return '';
}
