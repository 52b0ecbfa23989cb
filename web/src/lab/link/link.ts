// The typed state table ↔ "#v1.…": compact JSON → deflate-raw → base64url.
import { deflate, inflate, TooLarge } from './deflate';
import { packed, type Packed } from './table';
import * as v from 'valibot';

export const LIMITS = { link: 32 * 1024, table: 256 * 1024 };

/** A link that cannot be opened; the message is one sentence naming field, value, range and fix. */
export class BadLink extends Error {}

const FIX = 'Copy the whole link again, or remove everything after # to start again.';

/** Throws BadLink for a table that decodeLink would refuse; the message says what is wrong or what to undo. */
export async function encodeLink(table: Packed): Promise<string> {
  const issue = v.safeParse(packed, table).issues?.[0];
  if (issue) throw new BadLink(`A link cannot hold this: ${wordsFor(issue)}.`);
  const json = new TextEncoder().encode(JSON.stringify(table));
  const bytes = await deflate(json);
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  const link = `#v1.${base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
  if (json.length > LIMITS.table || link.length > LIMITS.link)
    throw new BadLink('A link cannot hold this many edits and changed inputs: undo some edits, or reset an input.');
  return link;
}

/** True for fragments that claim to be a state, of any version; others are ordinary anchors. */
export const isLink = (fragment: string): boolean => /^#v\d+\./.test(fragment);

/** Throws BadLink; has no side effects. */
export async function decodeLink(fragment: string): Promise<Packed> {
  if (fragment.length > LIMITS.link) {
    throw new BadLink(`The link is ${fragment.length} characters long; the limit is ${LIMITS.link}. ${FIX}`);
  }
  checkVersion(fragment);
  return checkTable(parseJson(await unpack(fragment.slice('#v1.'.length))));
}

function checkVersion(fragment: string): void {
  const version = Number(/^#v(\d+)\./.exec(fragment)?.[1]);
  if (version > 1) {
    throw new BadLink(
      `The link has version ${version}, from a newer Unroll; this page reads version 1. Reload the page to update it.`,
    );
  }
  if (version !== 1) throw new BadLink(`The link has version ${version}; this page reads version 1. ${FIX}`);
}

async function unpack(base64url: string): Promise<string> {
  if (!/^[A-Za-z0-9_-]*$/.test(base64url))
    throw new BadLink(`The link contains characters other than A–Z, a–z, 0–9, - and _. ${FIX}`);
  try {
    const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(await inflate(bytes, LIMITS.table));
  } catch (error) {
    if (error instanceof TooLarge)
      throw new BadLink(`The link unpacks to more than ${LIMITS.table / 1024} KB, which is the limit. ${FIX}`);
    throw new BadLink(`The link is cut short or damaged after ${base64url.length} characters. ${FIX}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLink(`The link does not contain a state table. ${FIX}`);
  }
}

/** What the schema read: it passes over settings named like "__proto__", and they are left out. */
function checkTable(table: unknown): Packed {
  const read = v.safeParse(packed, table);
  if (read.success) return read.output;
  throw new BadLink(`In the link, ${wordsFor(read.issues[0])}. ${FIX}`);
}

/** "steps is -3; it must be a whole number from 0 to 100000". */
const wordsFor = (issue: v.InferIssue<typeof packed>): string =>
  `${clipped(v.getDotPath(issue) ?? 'table')} is ${shown(issue.input)}; it must be ${issue.message}`;

const shown = (value: unknown): string => clipped(JSON.stringify(value) ?? 'missing');
const clipped = (text: string): string => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
