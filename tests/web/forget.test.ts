// "Forget my work" leaves nothing of the learner in the browser.
import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { database } from '../../web/src/lab/store/database';
import { forgetWork } from '../../web/src/lab/store/forget';
import { TYPED } from '../../web/src/lab/store/typed';
import { keepOwn } from '../../web/src/lab/store/own-store';
import { markOpen, markSolved } from '../../web/src/lab/store/progress';

afterEach(() => vi.unstubAllGlobals());

const kept = async (): Promise<Record<string, number>> => {
  const db = await database();
  const counts = await Promise.all([...db.objectStoreNames].map(async (name) => [name, await db.count(name)]));
  return Object.fromEntries(counts);
};

test('answers, progress, models, own data and drafts are deleted; other data stays', async () => {
  const keys = [...['pairs', 'text', 'reading', 'program-softmax'].map((key) => TYPED + key), 'of another page'];
  const drafts: Record<string, unknown> = Object.fromEntries(keys.map((key) => [key, 'a secret']));
  Object.defineProperty(drafts, 'removeItem', { value: (key: string) => delete drafts[key] });
  vi.stubGlobal('sessionStorage', drafts);
  vi.stubGlobal('localStorage', {});
  const db = await database();
  await Promise.all([keepOwn('a secret\tun secret'), markSolved('lesson', 'exercise'), markOpen('lesson')]);
  for (const store of ['tries', 'checkpoints', 'weights'] as const) await db.put(store, { made: 'by me' }, 'lesson');
  expect(Object.values(await kept())).toEqual([1, 1, 1, 1, 1, 1]);

  await forgetWork();
  expect(Object.values(await kept())).toEqual([0, 0, 0, 0, 0, 0]);
  expect(Object.keys(drafts)).toEqual(['of another page']);
});
