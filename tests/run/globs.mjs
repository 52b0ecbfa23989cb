// Which files an import.meta.glob of Vite's stands for.
import { dirname, join, normalize } from 'node:path';

const CALL = /\bimport\.meta\.glob(?:<\w+>)?\(\s*(\[[^\]]*\]|'[^']*')([^)]*)/g;
const PATTERN = /'(!?)([^']*)'/g;

/** Of a pattern's signs: * is anything within a folder, {a,b} is either. */
const formOf = (pattern) =>
  pattern
    .replaceAll('.', '\\.')
    .replaceAll('*', '[^/]*')
    .replace(/\{(.*?)\}/g, (_, either) => `(${either.replaceAll(',', '|')})`);

/**
 * Of `files` those that the text of one of them names by patterns; all are paths from the root.
 * @returns {{ file: string, lazy: boolean }[]}
 */
export function globbed(file, text, files) {
  return [...text.matchAll(CALL)].flatMap(([, argument, options]) => {
    const patterns = [...argument.matchAll(PATTERN)].map(([, not, path]) => ({
      not,
      form: new RegExp(`^${formOf(normalize(join(dirname(file), path)))}$`),
    }));
    const named = (each, kind) => patterns.some(({ not, form }) => not === kind && form.test(each));
    const lazy = !options.includes('eager: true');
    return files.filter((each) => named(each, '') && !named(each, '!')).map((each) => ({ file: each, lazy }));
  });
}
