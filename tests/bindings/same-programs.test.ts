// Random programs have the same values and gradients natively and in WebAssembly, on one thread and on several.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { builds, run, sameBits, sameBitsOnThreads } from './modules';

vi.setConfig({ testTimeout: 60_000 });

/** Their seeds are 1, 2, … in random_program() of tests/engine/support/random_programs.h. */
const PROGRAMS = 200;

type Hashes = Record<string, string>;

const bySeed = (hashOf: (seed: number) => string): Hashes =>
  Object.fromEntries(Array.from({ length: PROGRAMS }, (_, i) => [`program ${i + 1}`, hashOf(i + 1)]));

function printed(program: string, threads = 1): Hashes {
  const { output, complaints } = run(program, [String(threads), String(PROGRAMS)]);
  expect(complaints).toBe('');
  const hashes = output.trim().split('\n');
  expect(hashes).toHaveLength(PROGRAMS);
  return bySeed((seed) => hashes[seed - 1]!);
}

const [NATIVE] = builds('unroll_same_bits') as [string];
const hexadecimal = (hash: bigint): string => BigInt.asUintN(64, hash).toString(16).padStart(16, '0');

it('natively each has its own hash', () => {
  expect(new Set(Object.values(printed(NATIVE))).size).toBe(PROGRAMS);
});

it('natively on 2 threads', () => {
  expect(printed(NATIVE, 2)).toEqual(printed(NATIVE));
});

it('in Node', async () => {
  const module = await sameBits();
  expect(bySeed((seed) => hexadecimal(module._hash_of_program(seed)))).toEqual(printed(NATIVE));
});

it('in Node on 2 threads', async () => {
  const module = await sameBitsOnThreads();
  module._share_loops(2);
  await sleep(50); // until the second thread has started
  expect(bySeed((seed) => hexadecimal(module._hash_of_program(seed)))).toEqual(printed(NATIVE));
});

it.each(builds('unroll_same_bits').slice(1))('natively, sanitised: %s', (program) => {
  expect(printed(program)).toEqual(printed(NATIVE));
});
