// What a state that the browser kept can bring to the page: another page of this host may have written it.
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { database } from '../../web/src/lab/store/database';
import { lastStored } from '../../web/src/lab/store/checkpoints';
import { emptyState } from '../../web/src/lab/link/table';
import type { Page } from '../../web/src/lab/page';

const page = { lesson: 'here', config: {}, inputs: [], trained: null } as unknown as Page;

test('of what was chosen in a view only what can be chosen is read: it is assigned to the view', async () => {
  const shown = { 'u-heads': { look: 'heads', layer: 1, innerHTML: '<b>' } };
  const state = { ...emptyState('here'), shown };
  const meta = { lesson: 'here', state, steps: 5, target: 30, at: 1, curve: [], engine: '', sum: '', size: 1 };
  await (await database()).put('checkpoints', meta, 'slot');
  expect((await lastStored(page))?.state.shown).toEqual({ 'u-heads': { look: 'heads', layer: 1 } });
});
