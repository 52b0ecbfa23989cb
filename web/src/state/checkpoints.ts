// What training has come to, kept in this browser: a checkpoint for each experiment. Going on from one gives the same
// bits as never having stopped.
import * as v from 'valibot';
import { hasOwnData } from '../engine/own-data';
import { configKey, type Checkpoint, type Experiment } from '../engine/replay';
import { ENGINE } from '../engine/version';
import { stepsOf } from './changes';
import { database, type Database } from './database';
import { fingerprint } from './fingerprint';
import { fromKept, isFull, outcomeOf, type Outcome } from './kept';
import { Line } from './line';
import type { Page } from './page';
import { slotOf, slotsOf } from './slots';
import { emptyState } from './table';
import type { State } from '../types';

/** At most so many, and so many bytes of them: the oldest go. */
const MOST = { entries: 20, bytes: 50 * 2 ** 20 };

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const state = v.looseObject({
  config: v.record(v.string(), v.any()),
  inputs: v.array(v.looseObject({ name: v.string(), at: whole, values: v.array(v.number()) })),
  edits: v.array(v.looseObject({ name: v.string(), index: whole, value: v.number() })),
  pair: v.nullable(v.tuple([v.string(), v.string()])),
  steps: v.nullable(whole),
});
const note = v.object({
  lesson: v.string(),
  /** As it was, so that it can be gone back to. */
  state: v.custom<State>((entry) => v.is(state, entry)),
  steps: whole,
  /** Where training was to end. */
  target: whole,
  /** Milliseconds since 1970. */
  at: v.pipe(v.number(), v.finite()),
  curve: v.array(v.object({ step: whole, loss: v.number(), accuracy: v.number() })),
  /** Of the sources of the engine that made it; of the weights; the bytes they take. */
  engine: v.string(),
  sum: v.string(),
  size: whole,
});
type Note = v.InferOutput<typeof note>;
/** Where it lies, and what is noted of it. */
export type Kept = Note & { slot: string };

/** What an experiment can go on from, and what is to be said of it. */
export interface Found {
  checkpoint: Checkpoint | null;
  /** Where it is kept; "" where it came with the page. */
  slot: string;
  /** Where its training was to end. */
  target: number;
  /** Of an engine before this one: other bits may come of it. */
  earlier: boolean;
  /** There was one that cannot be used: damaged, or of an engine before this one. */
  lost: 'damaged' | 'earlier' | null;
}

/** The last one, for a browser that keeps nothing. */
let latest: { kept: Kept; bytes: Uint8Array } | null = null;

/** One that is read while another takes its place would be the note of the one and the weights of the other. */
const line = new Line(() => undefined);

/** All that decides the weights besides the number of steps. */
const idOf = (experiment: Experiment): string =>
  fingerprint(
    `${configKey(experiment)} ${JSON.stringify(experiment.inputs.filter(({ at }) => at < experiment.steps))}`,
  );

/** For as long as the page is open if the browser keeps nothing. */
export const keep = (...checkpoint: Parameters<typeof put>): Promise<Outcome> =>
  line.run('keeping', () => put(...checkpoint));

async function put(
  { lesson }: Page,
  state: State,
  experiment: Experiment,
  { steps, bytes, curve }: Checkpoint,
  target: number,
): Promise<Outcome> {
  const slot = await slotOf(idOf(experiment));
  const sum = fingerprint(bytes);
  const made: Note = { lesson, state, steps, target, at: Date.now(), curve, engine: ENGINE, sum, size: bytes.length };
  latest = { kept: { ...made, slot }, bytes };
  return outcomeOf(async () => {
    const db = await database();
    await makeRoom(db, slot, { entries: MOST.entries - 1, bytes: MOST.bytes - bytes.length });
    await writeAtAnyCost(db, slot, made, bytes);
  });
}

/** Where the browser is full the oldest make way, one after the other. */
async function writeAtAnyCost(db: Database, slot: string, made: Note, bytes: Uint8Array): Promise<void> {
  try {
    await write(db, slot, made, bytes);
  } catch (error) {
    const oldest = (await others(db, slot)).at(-1);
    if (!isFull(error) || !oldest) throw error;
    await remove(db, oldest.slot);
    await writeAtAnyCost(db, slot, made, bytes);
  }
}

async function write(db: Database, slot: string, made: Note, bytes: Uint8Array): Promise<void> {
  const writing = db.transaction(['checkpoints', 'weights'], 'readwrite');
  await Promise.all([
    writing.objectStore('weights').put(bytes, slot),
    writing.objectStore('checkpoints').put(made, slot),
    writing.done,
  ]);
}

/** Of those in other slots the oldest go. */
async function makeRoom(db: Database, inUse: string, most: typeof MOST): Promise<void> {
  let bytes = 0;
  for (const [i, { slot, size }] of (await others(db, inUse)).entries()) {
    bytes += size;
    if (i >= most.entries || bytes > most.bytes) await remove(db, slot);
  }
}

/** The latest first. */
const others = async (db: Database, inUse: string): Promise<Kept[]> =>
  (await allKept(db)).filter(({ slot }) => slot !== inUse).sort((a, b) => b.at - a.at);

async function remove(db: Database, slot: string): Promise<void> {
  await db.delete('checkpoints', slot);
  await db.delete('weights', slot);
}

/** What cannot be understood is none. */
async function allKept(db: Database): Promise<Kept[]> {
  const slots = await db.getAllKeys('checkpoints');
  const kept = await Promise.all(slots.map(async (slot) => readNote(slot, await db.get('checkpoints', slot))));
  await Promise.all(slots.filter((_, i) => !kept[i]).map((slot) => remove(db, slot)));
  return kept.filter((each) => each !== null);
}

function readNote(slot: string, entry: unknown): Kept | null {
  const read = v.safeParse(note, entry);
  return read.success ? { ...read.output, slot } : null;
}

/** What this page last trained; null if that is nothing. A field of the state that it was kept without is empty. */
export async function lastKept({ lesson }: Page): Promise<Kept | null> {
  const all = [...((await fromKept(allKept)) ?? []), ...(latest ? [latest.kept] : [])];
  const last = all.filter((kept) => kept.lesson === lesson).sort((a, b) => b.at - a.at)[0];
  return last ? { ...last, state: { ...emptyState(lesson), ...last.state } } : null;
}

/** The checkpoint that brings an experiment furthest: the browser's, or the one that came with the page. */
export const checkpointFor = (page: Page, state: State, experiment: Experiment): Promise<Found> =>
  line.run('reading', () => find(page, state, experiment));

async function find(page: Page, state: State, experiment: Experiment): Promise<Found> {
  const found: Found = { checkpoint: null, slot: '', target: 0, earlier: false, lost: null };
  if (!experiment.steps) return found;
  const shipped = page.trained && stepsOf(page, { ...state, steps: null });
  const usable = shipped && shipped <= experiment.steps ? shipped : 0;
  const all = await keptOf(experiment);
  if (all.damaged) found.lost = 'damaged';
  for (const kept of all.usable) {
    if (kept.steps <= usable) break;
    if (kept.engine !== ENGINE && !hasOwnData(experiment.config)) found.lost = 'earlier';
    else {
      const checkpoint = await weightsOf(kept);
      const { slot, target } = kept;
      if (checkpoint) return { ...found, checkpoint, slot, target, earlier: kept.engine !== ENGINE };
      found.lost = 'damaged';
    }
    await drop(kept.slot);
  }
  return usable ? { ...found, checkpoint: await download(page) } : found;
}

/** Those of the experiment that are not beyond it, the furthest first; one that cannot be understood is removed. */
async function keptOf(experiment: Experiment): Promise<{ usable: Kept[]; damaged: boolean }> {
  const slots = slotsOf(idOf(experiment));
  const usable = latest && slots.includes(latest.kept.slot) ? [latest.kept] : [];
  let damaged = false;
  await fromKept(async (db) => {
    for (const slot of slots) {
      const entry = await db.get('checkpoints', slot);
      const kept = readNote(slot, entry);
      if (kept) usable.push(kept);
      if (kept || entry === undefined) continue;
      damaged = true;
      await remove(db, slot);
    }
  });
  const within = usable.filter(({ steps }) => steps <= experiment.steps);
  return { usable: within.sort((a, b) => b.steps - a.steps), damaged };
}

/** Null if they are not what was written. */
async function weightsOf({ slot, steps, curve, sum }: Kept): Promise<Checkpoint | null> {
  const held = latest?.kept.slot === slot && latest.kept.sum === sum ? latest.bytes : undefined;
  const bytes = held ?? (await fromKept((db) => db.get('weights', slot)));
  return bytes instanceof Uint8Array && fingerprint(bytes) === sum ? { steps, bytes, curve } : null;
}

/** Of no use: nobody shall meet it again. */
export const dropCheckpoint = (slot: string): Promise<void> => line.run('dropping', () => drop(slot));

async function drop(slot: string): Promise<void> {
  if (latest?.kept.slot === slot) latest = null;
  await fromKept((db) => remove(db, slot));
}

/** Null if it cannot be had: then the steps are taken again. */
async function download({ trained }: Page): Promise<Checkpoint | null> {
  try {
    const response = await fetch(trained!.weights);
    if (!response.ok) return null;
    return { steps: trained!.steps, bytes: new Uint8Array(await response.arrayBuffer()), curve: [] };
  } catch {
    return null;
  }
}
