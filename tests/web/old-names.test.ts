// Lessons once had a number in their names: data that a browser stored under an old name still belongs to the lesson.
import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { movedPage } from '../../web/plugin/text-pages';
import { readContext, readLibrary } from '../../web/plugin/library';
import { slugOf } from '../../web/plugin/links';
import { emptyState } from '../../web/src/lab/link/table';
import {
  isMerged,
  lessonNow,
  MERGED,
  MOVED,
  movedTo,
  newName,
  newSection,
  OLD_NAMES,
} from '../../web/src/lab/old-names';
import { lastStored } from '../../web/src/lab/store/checkpoints';
import { markOpen, markSolved, progressIn, solvedIn } from '../../web/src/lab/store/progress';
import { triesOf } from '../../web/src/lab/store/attempts';
import { recordInText } from '../../web/src/lab/store/record-file';
import { stateNow } from '../../web/src/lab/merged';
import type { Page } from '../../web/src/lab/page';

it('every old name maps to a lesson, no two to the same one unless they were merged', () => {
  const led = OLD_NAMES.map(newName);
  const whole = OLD_NAMES.filter((name) => !isMerged(name)).map(newName);
  expect(new Set(whole).size).toBe(whole.length);
  const names = readContext().folders.map(slugOf);
  expect(led.filter((name) => !names.includes(name))).toEqual([]);
  expect(names.map(newName)).toEqual(names);
});

it('two lessons whose names differed only in the number are distinguished', () => {
  expect(newName('12-language-model')).toBe('recurrent-language-model');
  expect(newName('22-language-model')).toBe('language-model');
});

it('what has moved is in its new lesson, and no longer in the old one', async () => {
  const lessons = await readLibrary();
  const page = (name: string): string => lessons.find(({ slug }) => slug === name)!.html;
  for (const [lesson, section] of Object.values(MERGED)) expect(page(lesson)).toContain(`id="${section}"`);
  for (const [lesson, moved] of Object.entries(MOVED))
    for (const [id, place] of Object.entries(moved)) {
      const [now = '', section = id] = place.split('#');
      expect(page(now)).toContain(`id="${section}"`);
      expect(page(lesson)).not.toContain(`id="${id}"`);
      expect(movedTo(lesson, `#${id}`)).toBe(`../${now}/#${section}`);
      expect(lessonNow(lesson, id)).toBe(now);
    }
  expect([movedTo('recurrent-cell', '#the-formula'), movedTo('softmax', '#gates')]).toEqual([null, null]);
  expect([newSection('09-two-wirings'), newSection('softmax')]).toEqual(['when-does-the-decoder-look', '']);
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
    '09-two-wirings': { 'wrong-letter': true },
    '10-score-functions': { 'no-tanh': true },
  },
  tries: { '01-softmax': { ratio: [attempt] }, '09-two-wirings': { 'wrong-letter': [attempt] } },
  opened: { '09-two-wirings': 3, '01-softmax': 5, '22-language-model': 7 },
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
  expect(await solvedIn('score-functions')).toEqual({ 'wrong-letter': true, 'no-tanh': true });
  expect(await triesOf('score-functions', 'wrong-letter')).toEqual([{ ...attempt, at: 0 }]);
  expect(await progressIn([['score-functions', ['no-tanh']]])).toMatchObject([{ solved: 1, opened: 3, read: false }]);
  expect(await solvedIn('two-wirings')).toEqual({});
});

it('the record of a lesson that was merged is joined to that of the lesson now', () => {
  const lesson = { opened: 5, read: 6, solved: ['wrong-letter'], tries: { 'wrong-letter': [{ ...attempt, at: 7 }] } };
  const lessons = { 'two-wirings': lesson, 'score-functions': { opened: 8, read: 0, solved: ['no-tanh'], tries: {} } };
  const record = recordInText(JSON.stringify({ unroll: 'progress', version: 1, lessons }), ['score-functions']);
  expect([...record]).toEqual([
    [
      'score-functions',
      { opened: 8, read: 0, solved: ['wrong-letter', 'no-tanh'], tries: new Map(Object.entries(lesson.tries)) },
    ],
  ]);
});

it('a link to a merged lesson opens the same model', () => {
  const opened = stateNow(emptyState('two-wirings'));
  expect(opened).toMatchObject({ lesson: 'score-functions', seed: 1, pair: ['badge', 'egdab'], steps: 400 });
  expect(opened.config).toMatchObject({ kind: 'seq2seq', attention: 'bahdanau', hidden: 16 });
  const luong = stateNow({ ...emptyState('09-two-wirings'), config: { attention: 'luong' } });
  expect(luong).toMatchObject({ lesson: 'score-functions', config: { attention: 'luong', hidden: 16 }, steps: 0 });
  expect(stateNow(emptyState('01-softmax'))).toEqual(emptyState('softmax'));
});
