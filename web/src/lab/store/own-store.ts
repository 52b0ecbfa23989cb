// The learner's own pairs and texts, kept in this browser: a link holds only their name.
import { database } from './database';
import { tableIn, type Database } from './schema';
import { withDatabase, outcomeOf, type Outcome } from './storage';
import { nameOf } from '../link/table';

const MAX_ENTRIES = 20;

interface Entry {
  data: string;
  /** When it was last used, in milliseconds since 1970. */
  at: number;
}

/** Data that this page has used, for a browser that keeps nothing. */
const used = new Map<string, string>();
/** By name of the data: the write to the database, which may be under way. */
const writes = new Map<string, Promise<Outcome>>();

/** If the browser does not keep the data, it stays available while the page is open. */
export function keepOwnData(data: string): Promise<Outcome> {
  const name = nameOf(data);
  used.set(name, data);
  const written = writes.get(name) ?? write(name, data);
  writes.set(name, written);
  void written.then((outcome) => outcome === 'kept' || writes.delete(name)); // the reader may make room
  return written;
}

const write = (name: string, data: string): Promise<Outcome> =>
  outcomeOf(async () => {
    const db = await database();
    await db.put('data', { data, at: Date.now() } satisfies Entry, name);
    await makeRoom(db);
  });

/** Undefined if this browser does not have it, or has something else under its name. */
export async function ownDataNamed(name: string): Promise<string | undefined> {
  const data = used.get(name) ?? tableIn(await withDatabase((db) => db.get('data', name))).data;
  return typeof data === 'string' && nameOf(data) === name ? data : undefined;
}

/** Removes the least recently used data. */
async function makeRoom(db: Database): Promise<void> {
  const names = await db.getAllKeys('data');
  if (names.length <= MAX_ENTRIES) return;
  const times = await Promise.all(names.map(async (name) => timeIn(await db.get('data', name))));
  const oldest = names.map((name, i) => ({ name, at: times[i]! })).sort((a, b) => a.at - b.at);
  for (const { name } of oldest.slice(0, names.length - MAX_ENTRIES)) await db.delete('data', name);
}

/** 0 for what is damaged: it goes first. */
function timeIn(entry: unknown): number {
  const { at } = tableIn(entry);
  return typeof at === 'number' && Number.isFinite(at) ? at : 0;
}
