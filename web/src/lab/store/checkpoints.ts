// Training checkpoints kept in this browser, one per experiment and tab. Resuming from one gives the same bits as never
// having stopped.
import * as v from 'valibot';
import { hasOwnData } from '../../engine/own-data';
import { lastingIn, type Checkpoint, type Experiment } from '../../engine/replay';
import { ENGINE } from '../../engine/kinds';
import { stepsOf } from '../changes';
import { database } from './database';
import type { Database } from './schema';
import { fingerprint } from './fingerprint';
import { withDatabase, outcomeOf, type Outcome } from './storage';
import { JobQueue } from '../job-queue';
import { isMerged, newName } from '../old-names';
import type { Page } from '../page';
import { choices } from '../link/schema';
import { emptyState } from '../link/table';
import { NONE, type Found } from './found';
import { weightsKey, type State } from '../../engine/types';

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const setting = v.union([v.string(), v.number(), v.boolean(), v.array(v.number())]);
/** The fields that came later are missing from earlier records. */
const state = v.looseObject({
  config: v.record(v.string(), setting),
  inputs: v.array(v.looseObject({ name: v.string(), at: whole, values: v.array(v.number()) })),
  edits: v.array(v.looseObject({ name: v.string(), index: whole, value: v.number() })),
  interventions: v.exactOptional(
    v.array(
      v.object({
        ...{ kind: v.string(), tensor: v.string(), training: v.boolean() },
        ...{ source: v.string(), target: v.string() },
      }),
    ),
  ),
  pair: v.nullable(v.tuple([v.string(), v.string()])),
  steps: v.nullable(whole),
  takenOver: v.exactOptional(v.string()),
  version: v.exactOptional(v.literal(1)),
  lesson: v.exactOptional(v.string()),
  section: v.exactOptional(v.string()),
  seed: v.exactOptional(v.nullable(whole)),
  cursor: v.exactOptional(
    v.looseObject({ node: v.pipe(v.number(), v.integer()), scope: v.pipe(v.number(), v.integer()) }),
  ),
  selection: v.exactOptional(v.nullable(v.looseObject({ node: v.string(), index: whole }))),
  shown: v.exactOptional(v.record(v.string(), v.object(choices))),
});
const checkpointMeta = v.object({
  lesson: v.string(),
  /** The whole state, so that it can be restored. */
  state: v.pipe(
    state,
    v.transform((read) => read as unknown as State),
  ),
  steps: whole,
  /** The step at which training was to end. */
  target: whole,
  /** Milliseconds since 1970. */
  at: v.pipe(v.number(), v.finite()),
  curve: v.array(v.object({ step: whole, loss: v.number(), accuracy: v.number() })),
  unseen: v.optional(v.array(v.object({ step: whole, loss: v.number(), exact: v.optional(v.number()) })), []),
  /** Hash of the sources of the engine that made it; fingerprint of the weights; their size in bytes. */
  engine: v.string(),
  sum: v.string(),
  size: whole,
});
type CheckpointMeta = v.InferOutput<typeof checkpointMeta>;
/** The metadata of a checkpoint, and the slot it is stored in. */
export type StoredCheckpoint = CheckpointMeta & { slot: string };

/** The latest checkpoint, for a browser that keeps nothing. */
let latest: { stored: StoredCheckpoint; bytes: Uint8Array } | null = null;

/** Serialises access: a read during a write could combine the metadata of one checkpoint with the weights of another. */
const queue = new JobQueue<'keep' | 'read' | 'drop'>(() => undefined);

/** Identifies everything that determines the weights, except the number of steps. */
const idOf = (experiment: Experiment): string =>
  fingerprint(
    `${weightsKey(experiment.config)} ${JSON.stringify(experiment.inputs.filter(({ at }) => at < experiment.steps))}` +
      (experiment.takenOver ?? '') +
      lastingIn(experiment),
  );

const MAX_TABS = 20;

/** The slots that the tabs of this browser write an experiment's checkpoints to: "id", "id 2" and so on. */
const slotsOf = (id: string): string[] => Array.from({ length: MAX_TABS }, (_, tab) => (tab ? `${id} ${tab + 1}` : id));

/** Keeps a checkpoint; if the browser keeps nothing, for as long as the page is open. */
export const saveCheckpoint = (...checkpoint: Parameters<typeof put>): Promise<Outcome> =>
  queue.run('keep', () => put(...checkpoint));

async function put(
  { lesson }: Page,
  state: State,
  experiment: Experiment,
  { steps, bytes, curve, unseen = [] }: Checkpoint,
  target: number,
): Promise<Outcome> {
  const id = idOf(experiment);
  const keep = await import('./keep').catch(() => null); // no network, and never loaded before
  const slot = keep ? await keep.slotOf(slotsOf(id)) : id;
  const sum = fingerprint(bytes);
  const at = Date.now();
  const meta: CheckpointMeta = {
    lesson,
    state,
    steps,
    target,
    at,
    curve,
    unseen,
    engine: ENGINE,
    sum,
    size: bytes.length,
  };
  latest = { stored: { ...meta, slot }, bytes };
  if (!keep) return 'refused';
  return outcomeOf(async () => {
    const db = await database();
    await keep.write(db, { slot, meta, weights: bytes }, await allStored(db));
  });
}

/** The metadata of all checkpoints; one whose metadata is invalid is removed. */
async function allStored(db: Database): Promise<StoredCheckpoint[]> {
  const slots = await db.getAllKeys('checkpoints');
  const stored = await Promise.all(slots.map(async (slot) => readMeta(slot, await db.get('checkpoints', slot))));
  const damaged = slots.filter((_, i) => !stored[i]);
  if (damaged.length) await removeAll(db, damaged);
  return stored.filter((each) => each !== null);
}

function readMeta(slot: string, entry: unknown): StoredCheckpoint | null {
  const read = v.safeParse(checkpointMeta, entry);
  return read.success ? { ...read.output, slot } : null;
}

/** What this page last trained, or null. Fields missing from the kept state take their empty values. */
export async function lastStored({ lesson }: Page): Promise<StoredCheckpoint | null> {
  const all = [...((await withDatabase(allStored)) ?? []), ...(latest ? [latest.stored] : [])];
  const last = all.filter((stored) => newName(stored.lesson) === lesson).sort((a, b) => b.at - a.at)[0];
  if (!last) return null;
  const state = { ...emptyState(lesson), ...last.state, lesson };
  if (!isMerged(last.lesson)) return { ...last, lesson, state };
  const { stateNow } = await import('../merged');
  return { ...last, lesson, state: stateNow({ ...state, lesson: last.lesson }) };
}

/** The usable checkpoint with the most steps: the browser's, or the one that came with the page. */
export const checkpointFor = (page: Page, state: State, experiment: Experiment): Promise<Found> =>
  queue.run('read', () => find(page, state, experiment));

/** The checkpoint that came with the page, if it is usable. */
export async function shippedFor(page: Page, state: State, experiment: Experiment): Promise<Found> {
  return shippedSteps(page, state, experiment) ? { ...NONE, checkpoint: await download(page) } : NONE;
}

/** Steps of the checkpoint that came with the page; 0 if it is of another model, or has too many. */
function shippedSteps(page: Page, state: State, experiment: Experiment): number {
  const own = page.trained && !lastingIn(experiment);
  const shipped = own ? stepsOf(page, { ...state, steps: null }) : 0;
  return shipped <= experiment.steps ? shipped : 0;
}

async function find(page: Page, state: State, experiment: Experiment): Promise<Found> {
  const found: Found = { ...NONE };
  if (!experiment.steps) return found;
  const usable = shippedSteps(page, state, experiment);
  const all = await storedFor(experiment);
  if (all.damaged) found.lost = 'damaged';
  for (const stored of all.usable) {
    if (stored.steps <= usable) break;
    if (stored.engine !== ENGINE && !hasOwnData(experiment.config)) found.lost = 'earlier';
    else {
      const checkpoint = await weightsOf(stored, experiment.steps);
      const { slot, target } = stored;
      if (checkpoint) return { ...found, checkpoint, slot, target, earlier: stored.engine !== ENGINE };
      found.lost = 'damaged';
    }
    await drop(stored.slot);
  }
  return usable ? { ...found, checkpoint: await download(page) } : found;
}

/** The experiment's checkpoints up to its steps, furthest first; one whose metadata is invalid is removed. */
async function storedFor(experiment: Experiment): Promise<{ usable: StoredCheckpoint[]; damaged: boolean }> {
  const slots = slotsOf(idOf(experiment));
  const usable = latest && slots.includes(latest.stored.slot) ? [latest.stored] : [];
  let damaged = false;
  await withDatabase(async (db) => {
    for (const slot of slots) {
      const entry = await db.get('checkpoints', slot);
      const stored = readMeta(slot, entry);
      if (stored) usable.push(stored);
      if (stored || entry === undefined) continue;
      damaged = true;
      await removeAll(db, [slot]);
    }
  });
  const within = usable.filter(({ steps }) => steps <= experiment.steps);
  return { usable: within.sort((a, b) => b.steps - a.steps), damaged };
}

/** Null if the weights are missing or not what was written. Another tab may have written further ones since. */
async function weightsOf(found: StoredCheckpoint, most: number): Promise<Checkpoint | null> {
  const { slot, sum } = found;
  const here = latest?.stored.slot === slot && latest.stored.sum === sum ? latest : undefined;
  const { stored, bytes } = here ?? (await withDatabase((db) => readBoth(db, found))) ?? { stored: found, bytes: null };
  const usable = bytes instanceof Uint8Array && fingerprint(bytes) === stored.sum && stored.steps <= most;
  return usable ? { steps: stored.steps, bytes, curve: stored.curve, unseen: stored.unseen } : null;
}

/** In one transaction: the weights belong to this metadata. */
async function readBoth(db: Database, found: StoredCheckpoint): Promise<{ stored: StoredCheckpoint; bytes: unknown }> {
  const { slot } = found;
  const reading = db.transaction(['checkpoints', 'weights']);
  const [meta, bytes] = await Promise.all([
    reading.objectStore('checkpoints').get(slot),
    reading.objectStore('weights').get(slot),
  ]);
  return { stored: readMeta(slot, meta) ?? found, bytes };
}

async function removeAll(db: Database, slots: readonly string[]): Promise<void> {
  const { removeFree } = await import('./keep');
  for (const slot of slots) await removeFree(db, slot);
}

/** Removes a checkpoint that proved unusable. */
export const dropCheckpoint = (slot: string): Promise<void> => queue.run('drop', () => drop(slot));

async function drop(slot: string): Promise<void> {
  if (latest?.stored.slot === slot) latest = null;
  await withDatabase((db) => removeAll(db, [slot]));
}

/** Null if the download fails: the steps are then taken again. */
async function download({ trained }: Page): Promise<Checkpoint | null> {
  try {
    const response = await fetch(trained!.weights);
    if (!response.ok) return null;
    return { steps: trained!.steps, bytes: new Uint8Array(await response.arrayBuffer()), curve: [] };
  } catch {
    return null;
  }
}
