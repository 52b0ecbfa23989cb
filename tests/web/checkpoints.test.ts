// Checkpoints that are saved and read at the same time.
import { expect, test } from 'vitest';
import { checkpointFor, saveCheckpoint } from '../../web/src/lab/store/checkpoints';
import { emptyState } from '../../web/src/lab/link/table';
import type { Page } from '../../web/src/lab/page';

const page = { lesson: 'here', config: {}, inputs: [], trained: null } as unknown as Page;
const state = emptyState('here');
const experiment = { config: {}, inputs: [], pair: null, steps: 30, edits: [] };
const put = (steps: number): Promise<unknown> =>
  saveCheckpoint(page, state, experiment, { steps, bytes: Uint8Array.of(steps), curve: [] }, 30);

/** What a worker resumes from if it dies while a checkpoint is being saved. */
test('a checkpoint read while another replaces it is one of the two', async () => {
  await put(10);
  const [asked] = await Promise.all([checkpointFor(page, state, experiment), put(20)]);
  expect(asked).toMatchObject({ lost: null, checkpoint: { steps: 10, bytes: Uint8Array.of(10) } });
  const [, after] = await Promise.all([put(25), checkpointFor(page, state, experiment)]);
  expect(after).toMatchObject({ lost: null, checkpoint: { steps: 25, bytes: Uint8Array.of(25) } });
});
