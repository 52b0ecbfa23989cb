// Which names the engine's sources have, so that the glossary names no class, function or tensor that is gone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { engineSources } from './source-hash.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

let text: string | undefined;
const sources = (): string =>
  (text ??= engineSources()
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n'));

const hasWord = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(sources());
const hasText = (text: string): boolean => sources().includes(`"${text}"`);

/** Scopes that count positions: "t0" is made of "t" and a number. */
const COUNTED = /^t?\d+$/;

/** The path of a tensor, "decoder.t0.attention/α", whose scopes and name the engine has as texts. */
const isTensor = (path: string): boolean => path.split(/[./]/).every((part) => COUNTED.test(part) || hasText(part));

/** Whether a source has it: a tensor's path, if it has a slash, or else a class or a function, `Class::function`. */
export const isInEngine = (name: string): boolean =>
  name.includes('/') ? isTensor(name) : /^\w+(::\w+)*$/.test(name) && name.split('::').every(hasWord);
