// The typed state table ↔ "#v1.…": compact JSON → deflate-raw → base64url.
import * as texts from '#messages/link';
import { deflate, inflate, TooLarge } from './deflate';
import { BadLink } from './fragment';
import { packed, type Packed } from './schema';
import * as v from 'valibot';

export { checkPlaces } from './places';

export const LIMITS = { link: 32 * 1024, table: 256 * 1024 };

/** Throws BadLink for a table that decodeLink would refuse; the message says what is wrong or what to undo. */
export async function encodeLink(table: Packed): Promise<string> {
  const issue = v.safeParse(packed, table).issues?.[0];
  if (issue) throw new BadLink(texts.cannotHold(...factsOf(issue)));
  const json = new TextEncoder().encode(JSON.stringify(table));
  const bytes = await deflate(json);
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const link = `#v1.${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  if (json.length > LIMITS.table || link.length > LIMITS.link) throw new BadLink(texts.CANNOT_HOLD_ALL);
  return link;
}

/** Throws BadLink; has no side effects. */
export async function decodeLink(fragment: string): Promise<Packed> {
  if (fragment.length > LIMITS.link) throw new BadLink(texts.tooLong(fragment.length, LIMITS.link));
  checkVersion(fragment);
  return tableIn(await unpack(fragment.slice('#v1.'.length)));
}

/** Throws BadLink. */
export const tableIn = (json: string): Packed => checkTable(parseJson(json));

function checkVersion(fragment: string): void {
  const version = Number(/^#v(\d+)\./.exec(fragment)?.[1]);
  if (version > 1) throw new BadLink(texts.newerVersion(version));
  if (version !== 1) throw new BadLink(texts.otherVersion(version));
}

async function unpack(base64url: string): Promise<string> {
  if (!/^[A-Za-z0-9_-]*$/.test(base64url)) throw new BadLink(texts.OTHER_CHARACTERS);
  try {
    const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(await inflate(bytes, LIMITS.table));
  } catch (error) {
    if (error instanceof TooLarge) throw new BadLink(texts.tooLarge(LIMITS.table / 1024));
    throw new BadLink(texts.damagedAfter(base64url.length));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLink(texts.NO_TABLE);
  }
}

/** What the schema read: it passes over settings named like "__proto__", and they are left out. */
function checkTable(table: unknown): Packed {
  const read = v.safeParse(packed, table);
  if (read.success) return read.output;
  throw new BadLink(texts.wrongField(...factsOf(read.issues[0])));
}

/** "steps", "-3", "a whole number from 0 to 100000". */
const factsOf = (issue: v.InferIssue<typeof packed>): [field: string, value: string, allowed: string] => [
  clipped(v.getDotPath(issue) ?? texts.TABLE),
  clipped(JSON.stringify(issue.input) ?? texts.MISSING),
  issue.message,
];

const clipped = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
