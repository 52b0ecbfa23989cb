// Links as the page makes them, and manipulated ones.
import { deflateRawSync } from 'node:zlib';
import { pick, type Random } from './states';

/** Stores the bytes as they are, which takes a fraction of the time. */
export const UNCOMPRESSED = { level: 0, memLevel: 1, windowBits: 9 };
export const linkOf = (json: string): string => `#v1.${deflateRawSync(json, UNCOMPRESSED).toString('base64url')}`;
export const linkTo = (table: unknown): string => linkOf(JSON.stringify(table));

/** Junk values for any field of a link. */
export const JUNK = [
  null,
  -1,
  0.5,
  1e300,
  '',
  'x'.repeat(2000),
  '<img src=x onerror=alert(1)>',
  [],
  [[]],
  {},
  true,
  '__proto__',
];
const FIELDS = ['config', 'steps', 'own', '__proto__', 'constructor', '0', 'more', 'y'.repeat(500)];

/** Replaces one field, at any depth, by junk. */
export function mutated(table: unknown, junk: readonly unknown[], random: Random): unknown {
  if (typeof table !== 'object' || table === null || ArrayBuffer.isView(table) || random() < 0.2)
    return pick(random, junk);
  const [keys, copy] = [Object.keys(table), structuredClone(table) as Record<string, unknown>];
  const key = keys.length && random() < 0.9 ? pick(random, keys) : pick(random, FIELDS);
  const value = mutated(Object.hasOwn(copy, key) ? copy[key] : undefined, junk, random);
  return Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Replaces, inserts or removes one character. */
export function misspelt(link: string, random: Random): string {
  const at = '#v1.'.length + Math.floor(random() * (link.length - '#v1.'.length));
  const other = pick(random, [...'ABYZabyz0189-_']);
  return link.slice(0, at) + pick(random, ['', other, other + other]) + link.slice(at + Math.floor(random() * 2));
}
