// Folders and addresses of lessons, and their links: these may lead to sections, other lessons and the workbench, nowhere
// else. A folder has a number and a name: the number says only where the lesson stands, the name is its address. Folders
// sort as text, so that "075-…" lies between "07-…" and "08-…".
import { BadLink, isLink } from '../src/lab/link/fragment';
import { decodeLink } from '../src/lab/link/link';
import { anyOf } from './problem';

export const isLessonFolder = (name: string): boolean => /^\d\d+-[a-z][a-z0-9-]*$/.test(name);

/** Of the folder "01-softmax" it is "softmax". */
export const slugOf = (folder: string): string => folder.replace(/^\d+-/, '');

export const folderOf = (slug: string, folders: readonly string[]): string | undefined =>
  folders.find((folder) => slugOf(folder) === slug);

/** Its place among all lessons: from 1, after a folder 00-…, which is lesson 0. */
export const numberOf = (folder: string, folders: readonly string[]): number =>
  folders.indexOf(folder) + (folders[0]?.startsWith('00-') ? 0 : 1);

/** Pages below lessons/ that are not lessons. */
export const TEXTS: readonly string[] = ['ending', 'glossary', 'write', 'teach', 'questions', 'progress', 'about'];

const RULE =
  'link to a section (#name), a lesson (../four-words/) or the workbench (../../workbench/), and name other sources in words';

/** URL fragment of a heading or a glossary term. */
export const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** URL of a glossary term, relative to a lesson. */
export const glossaryLink = (term: string): string => `../glossary/#${anchorOf(term)}`;

/** Returns the URL unchanged, or calls `fail` with one sentence. A state after # is checked by `checkState`. */
export function checkLink(url: string, lessons: readonly string[], fail: (sentence: string) => never): string {
  if (/^#[\p{L}\p{N}-]+$/u.test(url) || /^\.\.\/\.\.\/workbench\/(#v\d+\..*)?$/.test(url)) return url;
  const lesson = /^\.\.\/([\w-]+)\/(#[\p{L}\p{N}.-]+)?$/u.exec(url);
  if (!lesson) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1];
    const what = scheme && !/^https?$/i.test(scheme) ? `uses "${scheme}:"` : 'leaves the lessons';
    return fail(`The link "${url}" ${what}: ${RULE}.`);
  }
  if (![...lessons, ...TEXTS].includes(lesson[1]!))
    fail(`The link "${url}" leads to a lesson that does not exist: use one of ${anyOf(lessons)}.`);
  return url;
}

/** Calls `fail` for a link to a state that the page could not open. */
export async function checkState(url: string, fail: (sentence: string) => never): Promise<void> {
  const fragment = url.slice(Math.max(0, url.indexOf('#')));
  if (!isLink(fragment)) return;
  try {
    await decodeLink(fragment);
  } catch (error) {
    if (!(error instanceof BadLink)) throw error;
    fail(`The link to a state cannot be opened: ${error.message}`);
  }
}
