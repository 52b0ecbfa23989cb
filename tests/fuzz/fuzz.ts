// Fuzzers for what the page reads: each input depends only on a seed and an index, so any can be reproduced.
import assert from 'node:assert/strict';
import { seeded, type Random } from '../web/states';

const given = (name: string, otherwise: number): number =>
  Number(process.env[`UNROLL_FUZZ_${name.toUpperCase()}`] ?? otherwise);

/** The limit of processor time for one input, in milliseconds. */
const MAX_TIME = 4000;

/** Mixes seed and index over all 32 bits, so that neighbouring inputs differ. */
function mixed(seed: number, index: number): number {
  let state = Math.imul(seed, 0x9e3779b1) ^ index;
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}

/** Tries inputs for the requested count or time, by default a minute; `tryInput` returns whether one was accepted. */
export async function fuzz(name: string, tryInput: (random: Random) => Promise<boolean>): Promise<void> {
  const [seed, from, count] = [given('seed', 1), given('from', 0), given('count', Infinity)];
  const end = Date.now() + 1000 * given('seconds', count < Infinity ? Infinity : 60);
  let [tried, accepted] = [0, 0];
  for (; tried < count && Date.now() < end; tried++) {
    const again = `rerun: ./lab fuzz ${name} --seed ${seed} --from ${from + tried} --count 1`;
    const begun = process.cpuUsage();
    accepted += Number(await tryInput(seeded(mixed(seed, from + tried))).catch((error: unknown) => fail(error, again)));
    assert(process.cpuUsage(begun).user / 1000 < MAX_TIME, `the input takes too long\n${again}`);
  }
  console.log(`${name}: ${tried} inputs, of which ${accepted} were accepted, and no finding`);
  const some = accepted > tried / 100 && accepted < tried;
  assert(some || tried < 1000, 'inputs are nearly all refused, or all accepted: they try too little');
}

function fail(error: unknown, again: string): never {
  throw new Error(`${error instanceof Error ? error.message : String(error)}\n${again}`, { cause: error });
}

/** Checks that nothing was added to Object.prototype. */
export function expectUnpolluted(): void {
  for (const key in {}) throw new Error(`all objects have "${key}" now`);
}
