// Lessons once had a number in their names: data that a browser stored under an old name still belongs to the lesson.
import 'fake-indexeddb/auto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { movedPage } from '../../web/plugin/text-pages';
import { readLesson } from '../../web/plugin/lesson';
import { lessonsFolder, readContext } from '../../web/plugin/library';
import { folderOf, slugOf } from '../../web/plugin/links';
import { emptyState } from '../../web/src/lab/link/table';
import { MOVED_SECTIONS, movedTo, newName, OLD_NAMES } from '../../web/src/lab/old-names';
import { lastStored } from '../../web/src/lab/store/checkpoints';
import { markOpen, markSolved, progressIn, solvedIn } from '../../web/src/lab/store/progress';
import { triesOf } from '../../web/src/lab/store/attempts';
import type { Page } from '../../web/src/lab/page';

it('every old name maps to a lesson, no two to the same one', () => {
  const led = OLD_NAMES.map(newName);
  expect(new Set(led).size).toBe(OLD_NAMES.length);
  const names = readContext().folders.map(slugOf);
  expect(led.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.map(newName)).toEqual(names);
});

it('two lessons whose names differed only in the number are distinguished', () => {
  expect(newName('12-language-model')).toBe('recurrent-language-model');
  expect(newName('22-language-model')).toBe('language-model');
});

it('a section that has moved is in its new lesson, and no longer in the old one', async () => {
  const context = readContext();
  const read = async (lesson: string): Promise<string> => {
    const folder = folderOf(lesson, context.folders)!;
    return (await readLesson(folder, readFileSync(join(lessonsFolder, folder, 'lesson.md'), 'utf8'), context)).html;
  };
  for (const [lesson, sections] of Object.entries(MOVED_SECTIONS))
    for (const [section, now] of Object.entries(sections)) {
      expect(await read(now)).toContain(`id="${section}"`);
      expect(await read(lesson)).not.toContain(`id="${section}"`);
      expect(movedTo(lesson, `#${section}`)).toBe(`../${now}/#${section}`);
    }
  expect(movedTo('recurrent-cell', '#the-formula')).toBe(null);
  expect(movedTo('softmax', '#gates')).toBe(null);
});

it('an old page names its lesson, or the address if the lesson cannot be read', () => {
  expect(movedPage('softmax', [])).toContain('<a href="../softmax/">softmax</a>');
});

const page = (lesson: string): Page => ({ lesson, config: {}, inputs: [], trained: null }) as unknown as Page;
const attempt = { answer: '2', right: true };
/** A database of the second version, with two lessons and a checkpoint of the workbench. */
const checkpoint = (lesson: string, at: number) => ({
  ...{ lesson, state: { ...emptyState(lesson), steps: 4 }, steps: 4, target: 4, at },
  ...{ curve: [], engine: '', sum: '', size: 1 },
});
const KEPT: Record<string, Record<string, unknown>> = {
  solved: {
    '01-softmax': { ratio: true },
    '12-language-model': { copy: true },
    '22-language-model': { stories: true },
  },
  tries: { '01-softmax': { ratio: [attempt] } },
  opened: { '01-softmax': 5, '22-language-model': 7 },
  checkpoints: {
    one: checkpoint('22-language-model', 1),
    two: checkpoint('12-language-model', 2),
    three: checkpoint('', 3),
  },
  weights: {},
  data: {},
};

const keepAsBefore = (): Promise<void> =>
  new Promise((done) => {
    const opening = indexedDB.open('unroll-work', 2);
    opening.onupgradeneeded = () => {
      for (const [name, entries] of Object.entries(KEPT)) {
        const store = opening.result.createObjectStore(name);
        for (const [key, entry] of Object.entries(entries)) store.put(entry, key);
      }
    };
    opening.onsuccess = () => (opening.result.close(), done());
  });

it('old progress, tries and checkpoints appear under the new names, and new ones are added', async () => {
  await keepAsBefore();
  await markSolved('softmax', 'shift');
  await markOpen('language-model');
  expect(await solvedIn('softmax')).toEqual({ ratio: true, shift: true });
  expect(await triesOf('softmax', 'ratio')).toEqual([{ ...attempt, at: 0 }]);
  const [first, recurrent, stories] = await progressIn([
    ['softmax', ['ratio', 'shift', 'more']],
    ['recurrent-language-model', ['copy']],
    ['language-model', ['stories']],
  ]);
  expect(first).toMatchObject({ solved: 2, opened: 5 });
  expect(recurrent).toMatchObject({ solved: 1, opened: 0 });
  expect(stories).toMatchObject({ solved: 1, opened: expect.any(Number) });
  expect(stories!.opened).toBeGreaterThan(7);
  for (const [lesson, slot] of Object.entries({
    'recurrent-language-model': 'two',
    'language-model': 'one',
    '': 'three',
  }))
    expect(await lastStored(page(lesson))).toMatchObject({ lesson, slot, state: { lesson, steps: 4 } });
  expect(await solvedIn('01-softmax')).toEqual({});
});
