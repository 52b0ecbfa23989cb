// The record of progress: every try is kept, an exported file brings all of it back, nothing that is there is lost, and a file
// that cannot be read is refused with a sentence.
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { keepTry, triesOf, unkept } from '../../web/src/lab/store/attempts';
import { forgetWork } from '../../web/src/lab/store/forget';
import { markOpen, markRead, markSolved, progressIn } from '../../web/src/lab/store/progress';
import { addRecord, keptRecord, wholeRecord, type LearnerRecord } from '../../web/src/lab/store/record';
import { MOST_BYTES, recordFrom, recordInText, textOf } from '../../web/src/lab/store/record-file';
import { sumOf, summaryOf } from '../../web/src/app/progress/summary';
import * as texts from '../../web/src/messages/en/progress';

const LESSONS = ['softmax', 'recurrent-cell'];
const DAY = Date.UTC(2026, 0, 5);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(DAY);
  vi.stubGlobal('sessionStorage', {});
  vi.stubGlobal('localStorage', {});
  await forgetWork();
  return () => vi.useRealTimers();
});

/** A second passes before each answer. */
async function answer(...answers: string[]): Promise<void> {
  for (const each of answers) {
    vi.setSystemTime(Date.now() + 1000);
    await keepTry('softmax', 'ratio', { answer: each, right: each === 'right' });
    if (each === 'right') await markSolved('softmax', 'ratio');
  }
}

const file = async (): Promise<string> => textOf(await wholeRecord());

test('of a hundred tries none is dropped, and they stay in their order', async () => {
  const all = Array.from({ length: 100 }, (_, i) => `wrong ${i}`);
  await answer(...all, 'right');
  expect((await triesOf('softmax', 'ratio')).map((each) => each.answer)).toEqual([...all, 'right']);
  expect(await triesOf('softmax', 'rat')).toEqual([]);
});

test('the first time that a lesson is read counts, and the last time that it is opened', async () => {
  await Promise.all([markRead('softmax'), markOpen('softmax')]);
  vi.setSystemTime(DAY + 5);
  await Promise.all([markRead('softmax'), markOpen('softmax')]);
  expect((await keptRecord())!.get('softmax')).toMatchObject({ read: DAY, opened: DAY + 5 });
  expect((await progressIn([['softmax', []]]))[0]).toMatchObject({ read: true, opened: DAY + 5 });
});

test('what is exported, forgotten and imported is there again, and once more changes nothing', async () => {
  await Promise.all([markOpen('softmax'), markRead('softmax'), markSolved('recurrent-cell', 'latch')]);
  await answer('1', '2', 'right');
  const before = await keptRecord();
  const text = await file();
  await forgetWork();
  expect(await keptRecord()).toEqual(new Map());
  for (let i = 0; i < 2; i++) {
    expect(await addRecord(recordInText(text, LESSONS))).toBe('kept');
    expect(await keptRecord()).toEqual(before);
  }
});

test('two records are joined: all tries, what either solved, the earliest reading and the latest opening', async () => {
  await markRead('softmax');
  await answer('1', 'right');
  const text = await file();
  await forgetWork();
  vi.setSystemTime(DAY + 86_400_000);
  await Promise.all([markRead('softmax'), markOpen('softmax'), markSolved('softmax', 'shift')]);
  await answer('3');
  expect(await addRecord(recordInText(text, LESSONS))).toBe('kept');
  const joined = (await keptRecord())!.get('softmax')!;
  expect(joined).toMatchObject({ read: DAY, opened: DAY + 86_400_000 });
  expect(joined.solved.sort()).toEqual(['ratio', 'shift']);
  expect(joined.tries.get('ratio')!.map((each) => each.answer)).toEqual(['1', 'right', '3']);
});

test('of a clock that is fast, opening counts as now', async () => {
  const ahead: LearnerRecord = new Map([['softmax', { opened: DAY * 2, read: 0, solved: [], tries: new Map() }]]);
  await addRecord(ahead);
  expect((await keptRecord())!.get('softmax')!.opened).toBe(DAY);
});

test('a lesson’s old name in a file is its name now', () => {
  const lesson = { opened: 1, read: 0, solved: [], tries: {} };
  const text = JSON.stringify({ unroll: 'progress', version: 1, lessons: { '01-softmax': lesson } });
  expect([...recordInText(text, LESSONS).keys()]).toEqual(['softmax']);
});

const lesson = { opened: 1, read: 0, solved: ['ratio'], tries: { ratio: [{ at: 1, answer: '2', right: true }] } };
const whole = { unroll: 'progress', version: 1, lessons: { softmax: lesson } };
const good = JSON.stringify(whole);
const withLesson = (part: object): string => JSON.stringify({ ...whole, lessons: { softmax: { ...lesson, ...part } } });
const withTry = (part: object): string =>
  withLesson({ tries: { ratio: [{ at: 1, answer: '2', right: true, ...part }] } });
const READ = texts.damagedAt('lessons.softmax.read');
const AT = texts.damagedAt('lessons.softmax.tries.ratio.0.at');

test.each<[what: string, text: string, sentence: string]>([
  ['is empty', '', texts.NOT_PROGRESS],
  ['is a page', '<!doctype html>', texts.NOT_PROGRESS],
  ['is cut', good.slice(0, 60), texts.CUT],
  ['is other JSON', '{"name": "web"}', texts.NOT_PROGRESS],
  ['is null', 'null', texts.NOT_PROGRESS],
  ['is a list', '[1, 2]', texts.NOT_PROGRESS],
  ['is from a newer version', JSON.stringify({ ...whole, version: 2, more: {} }), texts.NEWER_FILE],
  ['is from version −1', JSON.stringify({ ...whole, version: -1 }), texts.damagedAt('version')],
  ['has something else', JSON.stringify({ ...whole, more: 1 }), texts.damagedAt('more')],
  ['has no lessons', JSON.stringify({ unroll: 'progress', version: 1 }), texts.damagedAt('lessons')],
  ['has a lesson that is none', good.replace('softmax', 'softmin'), texts.unknownLesson('softmin')],
  ['has a text for a time', withLesson({ read: 'now' }), READ],
  ['has a negative time', withLesson({ read: -1 }), READ],
  ['has half a millisecond', withLesson({ read: 0.5 }), READ],
  ['has a time after all years', withLesson({ read: 1e15 }), READ],
  ['has an infinite time', good.replace('"read":0', '"read":1e999'), READ],
  ['has NaN', good.replace('"read":0', '"read":NaN'), texts.NOT_PROGRESS],
  ['has a negative time of a try', withTry({ at: -5 }), AT],
  ['has a count for tries', withLesson({ tries: { ratio: 1e9 } }), texts.damagedAt('lessons.softmax.tries.ratio')],
  ['has a number for an answer', withTry({ answer: 5 }), texts.damagedAt('lessons.softmax.tries.ratio.0.answer')],
  [
    'has an endless answer',
    withTry({ answer: 'x'.repeat(50_000) }),
    texts.damagedAt('lessons.softmax.tries.ratio.0.answer'),
  ],
  ['solves with numbers', withLesson({ solved: [5] }), texts.damagedAt('lessons.softmax.solved.0')],
  ['has a name twice', good.replace('"read":0', '"read":0,"re\\u0061d":1'), texts.twice('read')],
  ['has __proto__', good.replace('"ratio":', '"__proto__":'), texts.reserved('__proto__')],
  ['has a lesson __proto__', good.replace('"softmax":', '"__proto__":'), texts.reserved('__proto__')],
  ['has constructor', good.replace('"softmax":', '"constructor":'), texts.reserved('constructor')],
  ['is deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, texts.TOO_DEEP],
  ['is a deep list', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, texts.TOO_DEEP],
])('a file that %s is refused with a sentence', (_, text, sentence) => {
  expect(() => recordInText(text, LESSONS)).toThrow(sentence);
  expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(({} as Record<string, unknown>).ratio).toBe(undefined);
});

test('every part that is missing from a good file is refused', () => {
  for (let end = 1; end < good.length; end += 7)
    expect(() => recordInText(good.slice(0, end), LESSONS), String(end)).toThrow(/\.$/);
});

test('a file of 50 MB is refused by its size, unread', async () => {
  const large = { size: 50 * 2 ** 20, text: () => expect.unreachable() } as unknown as Blob;
  await expect(recordFrom(large, LESSONS)).rejects.toThrow('The file has 50 MB, and a progress file has at most 5 MB');
});

test('the largest file that is read takes less than two seconds, whatever is in it', () => {
  const texts = ['"', '\\"', 'x', '{', '":'].map((part) => JSON.stringify(part.repeat(MOST_BYTES / 4)));
  for (const text of texts) {
    const began = performance.now();
    expect(() => recordInText(`{"a":${text}}`, LESSONS)).toThrow(/\.$/);
    expect(performance.now() - began).toBeLessThan(2000);
  }
});

test('where there is no room nothing of a file is kept, and what was there stays', async () => {
  await answer('1');
  const before = await keptRecord();
  const put = IDBObjectStore.prototype.put;
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...entry) {
    if (this.name === 'attempts') throw new DOMException('full', 'QuotaExceededError');
    return put.apply(this, entry);
  });
  expect(await addRecord(recordInText(good, LESSONS))).toBe('full');
  full.mockRestore();
  expect(await keptRecord()).toEqual(before);
});

test('what the browser refuses can still be exported', async () => {
  await answer('1');
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  vi.setSystemTime(DAY + 7);
  expect(await keepTry('softmax', 'ratio', { answer: 'right', right: true })).toBe('full');
  const exported = recordInText(await file(), LESSONS).get('softmax')!;
  expect(exported.tries.get('ratio')).toEqual([{ answer: 'right', right: true, at: DAY + 7 }]);
  expect(exported.solved).toEqual(['ratio']);
  vi.restoreAllMocks();
  unkept.length = 0;
});

test('a row counts the tasks that the lesson has; tries without a time have no date', () => {
  const attempt = { answer: '', right: false, at: 3 };
  const tries = new Map([
    ['ratio', [attempt, attempt]],
    ['gone', [attempt]],
  ]);
  const record = { opened: 0, read: DAY, solved: ['ratio', 'gone'], tries };
  const row = summaryOf('softmax', ['ratio', 'shift'], record);
  expect(row).toEqual({ lesson: 'softmax', read: DAY, solved: 1, exercises: 2, answered: 1, tries: 2, last: 0 });
  expect(texts.sum(sumOf([row, summaryOf('other', ['one'])]))).toBe(
    'You have read 1 of 2 lessons and solved 1 of 3 exercises, in 2 tries.',
  );
});
