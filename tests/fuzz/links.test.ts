// Links: anything after # is refused in a sentence, or is a state that gives the same link again.
import assert from 'node:assert/strict';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { it, vi } from 'vitest';
import { ownDataIn } from '../../web/src/engine/own-data';
import { BadLink } from '../../web/src/lab/link/fragment';
import { decodeLink, encodeLink } from '../../web/src/lab/link/link';
import { pack, unpack, type Packed } from '../../web/src/lab/link/table';
import { JUNK, linkOf, linkTo, misspelt, mutated, UNCOMPRESSED } from '../web/links';
import { anyState, below, pick, type Random } from '../web/states';
import { expectUnpolluted, fuzz } from './fuzz';

/** Synchronous, as the browser's streams would be too slow for millions of links. */
vi.mock('../../web/src/lab/link/deflate', () => {
  class TooLarge extends Error {}
  const inflate = async (bytes: Uint8Array, limit: number): Promise<Uint8Array> => {
    try {
      return inflateRawSync(bytes, { maxOutputLength: limit });
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge() : error;
    }
  };
  return { TooLarge, inflate, deflate: async (bytes: Uint8Array) => deflateRawSync(bytes, UNCOMPRESSED) };
});

/** The maximum length of a message to a learner. */
const MAX_MESSAGE = 500;

const PIECES = ['{', '}', '[', ']', '"', ',', ':', '"__proto__":{"polluted":1},', '1e999', '-0', '\\ud800', '\0', 'é'];

/** The JSON of a link with pieces inserted or removed. */
function rewritten(link: string, random: Random): string {
  const json = inflateRawSync(Buffer.from(link.slice('#v1.'.length), 'base64url')).toString();
  const at = below(random, json.length);
  return linkOf(json.slice(0, at) + pick(random, PIECES) + json.slice(at + below(random, 3)));
}

const anyText = (random: Random): string =>
  Array.from({ length: below(random, 40) }, () =>
    String.fromCharCode(below(random, random() < 0.8 ? 128 : 65_536)),
  ).join('');

function anyLink(random: Random): string {
  const table = pack(anyState(random), null);
  const kind = below(random, 8);
  if (kind === 0) return `#v${pick(random, ['1', '2', '01', '1e9', ''])}.${anyText(random)}`;
  if (kind < 3) return misspelt(linkTo(table), random);
  if (kind < 5) return rewritten(linkTo(table), random);
  return linkTo(kind === 5 ? table : mutated(table, JUNK, random));
}

function expectSentence(message: string): void {
  assert.match(message, /\.$/);
  assert(message.length <= MAX_MESSAGE, message);
}

/** Reads a table into a state and packs it again. */
function packedAgain(table: Packed, data?: string): [Packed, string | undefined] {
  const { state } = unpack(table, data);
  assert.equal(Object.getPrototypeOf(state.config), Object.prototype);
  return [pack(state, null), ownDataIn(state.config)?.data];
}

async function tryLink(random: Random): Promise<boolean> {
  const read = await decodeLink(anyLink(random)).catch((error: unknown) => error);
  expectUnpolluted();
  if (read instanceof BadLink) return (expectSentence(read.message), false);
  if (read instanceof Error) throw read;
  const [table, data] = packedAgain(read as Packed, 'a\tb');
  const [again] = packedAgain(await decodeLink(await encodeLink(table)), data);
  assert.equal(JSON.stringify(again), JSON.stringify(table)); // a size of −0 becomes 0
  return true;
}

it('links', { timeout: 1e9 }, () => fuzz('links', tryLink));
