// Which tests a change can affect, from the paths that changed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closure, elementsWith } from './imports.mjs';
import { root, SUITES } from './parts.mjs';

/** Paths changed since the revision, committed or not; null if there is no such revision. */
export function changedSince(revision) {
  const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8' });
  const diff = git('diff', '--name-only', '--end-of-options', revision);
  if (diff.status !== 0) return null;
  return `${diff.stdout}${git('ls-files', '--others', '--exclude-standard').stdout}`.split('\n').filter(Boolean);
}

/** "01-softmax" → "softmax", the lesson's name in its address. */
export const nameOf = (folder) => folder.replace(/^\d+-/, '');

/** The first rule that matches a path says what to run: whole suites, tests that import a file, or a lesson. */
const RULES = [
  [/^tests\/((?:engine|bindings)\/.*_test\.cpp|\w+\/[^/]*\.(test|spec)\.ts)$/, ([, file]) => ({ files: [file] })],
  [/^tests\/engine\/support\/(random_programs|task_run)/, () => ({ suites: ['engine', 'bindings', 'fuzz'] })],
  [/^tests\/engine\/support\//, () => ({ suites: ['engine', 'fuzz'] })],
  [/^tests\/programs\//, () => ({ suites: ['engine'] })],
  [/^tests\/engine\//, () => ({ suites: ['engine'] })],
  [/^tests\/fuzz\//, () => ({ suites: ['fuzz'] })],
  [/^tests\/(conform|bindings\/.*\.(cpp|h))/, () => ({ suites: ['bindings', 'lessons'] })],
  [/^tests\/(bindings|lessons|web)\/(.*)/, ([path]) => ({ needing: path })],
  [/^lessons\/(\d+-[^/]+)\//, ([, folder]) => ({ lessons: [nameOf(folder)] })],
  [/^lessons\//, () => ({ suites: ['lessons', 'web'] })],
  [/^web\/src\/.*/, ([path]) => ofPage(path)],
  [/^web\/(?!preview)/, () => ({ suites: ['lessons', 'web'] })],
  [/^(engine|bindings|tests\/(run|[^/]*$)|CMake|lab$|\.ci)/, () => ({ suites: SUITES })],
];

/** Every page, or the pages that use one of the file's elements. */
function ofPage(path) {
  const tags = elementsWith(path);
  return tags ? { needing: path, tags } : { needing: path, suites: ['web'] };
}

/** A function that says what to run of a part, given the changed paths. */
export function touchedBy(paths, folders) {
  const effects = paths.map((path) => {
    for (const [rule, effect] of RULES) if (rule.test(path)) return effect(rule.exec(path));
    return {};
  });
  const all = (key) => effects.flatMap((effect) => effect[key] ?? []);
  const suites = new Set(['lab', ...all('suites')]);
  const [needed, tags, files] = [all('needing'), all('tags'), new Set(all('files'))];
  const named = new Set([...all('lessons'), ...folders.filter((folder) => hasElement(folder, tags)).map(nameOf)]);
  const isTouched = (file) => {
    if (files.has(file)) return true;
    const path = `tests/${file}`;
    const text = tags.length ? readFileSync(join(root, path), 'utf8') : '';
    return needed.some((each) => closure(path, { lazy: true }).has(each)) || tags.some((tag) => text.includes(tag));
  };
  return (part) => {
    if (suites.has(part.suite)) return [{ files: part.files }];
    return [{ files: part.files.filter(isTouched) }, ...ofLessons(part, [...named])];
  };
}

/** A lesson names its views without the prefix "u-". */
function hasElement(folder, tags) {
  const text = readFileSync(join(root, 'lessons', folder, 'lesson.md'), 'utf8');
  return tags.some((tag) => new RegExp(`^views:.*\\b${tag.slice(2)}\\b|^:::${tag.slice(2)}\\b`, 'm').test(text));
}

/** The tests of a part that cover all lessons, limited to these: their titles contain the lesson's address. */
export function ofLessons(part, lessons) {
  if (!lessons.length || part.program.tells !== 'events') return [];
  const files = part.files.filter((file) => EACH_LESSON.test(file));
  return [{ files, title: `lessons/(${lessons.join('|')})/`, lessons }];
}
const EACH_LESSON = /^(lessons\/lessons|web\/(tour|lesson-exercises))/;
