// Pairs and texts of the learner's own, in this browser: a link holds only the name of one.
import { database, type Database } from './database';
import { fromKept, unlessRefused } from './kept';
import { nameOf } from './table';

const MOST = 20;

interface Entry {
  data: string;
  /** When it was last used, in milliseconds since 1970. */
  at: number;
}

/** What this page has used: for a browser that keeps nothing. */
const used = new Map<string, string>();
/** And whether the browser keeps it. */
const keeping = new Map<string, Promise<boolean>>();

/** False if the browser keeps nothing, or has no room: then it is known as long as the page is open. */
export function keepOwn(data: string): Promise<boolean> {
  const name = nameOf(data);
  used.set(name, data);
  const kept = keeping.get(name) ?? write(name, data);
  keeping.set(name, kept);
  return kept;
}

async function write(name: string, data: string): Promise<boolean> {
  const written = await unlessRefused(async () => {
    const db = await database();
    await db.put('data', { data, at: Date.now() } satisfies Entry, name);
    await makeRoom(db);
    return true;
  });
  return written ?? false;
}

/** Undefined if this browser does not have it, or has something else under its name. */
export async function ownOf(name: string): Promise<string | undefined> {
  const entry = (await fromKept((db) => db.get('data', name))) as Partial<Entry> | undefined;
  const data = used.get(name) ?? entry?.data;
  return typeof data === 'string' && nameOf(data) === name ? data : undefined;
}

/** The ones that were not used for the longest time go. */
async function makeRoom(db: Database): Promise<void> {
  const names = await db.getAllKeys('data');
  if (names.length <= MOST) return;
  const times = await Promise.all(names.map(async (name) => Number(((await db.get('data', name)) as Entry).at)));
  const oldest = names.map((name, i) => ({ name, at: times[i]! })).sort((a, b) => a.at - b.at);
  for (const { name } of oldest.slice(0, names.length - MOST)) await db.delete('data', name);
}
