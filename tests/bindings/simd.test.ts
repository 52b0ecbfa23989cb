// The hot loops in the page's modules use SIMD. Most of the engine is compiled for size, which leaves loops scalar: see
// bindings/emscripten.cmake.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { MODULES } from '../../web/src/engine/modules';
import { fromRoot } from './modules';

/** SIMD instructions on four floats, as encoded: the SIMD prefix, then an opcode in LEB128. */
const SIMD = {
  add: [0xfd, 0xe4, 0x01],
  sub: [0xfd, 0xe5, 0x01],
  mul: [0xfd, 0xe6, 0x01],
  div: [0xfd, 0xe7, 0x01],
} as const;

/**
 * Functions of every module and the instructions of their loops. "a | b": the linker may inline one into the other, so
 * either name may appear.
 */
const HOT: [names: string, instruction: keyof typeof SIMD][] = [
  ['add( | operator+(', 'add'],
  ['subtract( | operator-(unroll::Operand, unroll::Operand)', 'sub'],
  ['multiply( | operator*(', 'mul'],
  ['divide( | operator/(', 'div'],
  ['add_to(', 'add'],
  ['softmax(', 'div'],
  ['Adam::fused_step(', 'mul'],
  ['kernels::(anonymous namespace)::tile<4>(', 'mul'],
  ['kernels::(anonymous namespace)::accumulate_rows(', 'mul'],
  ['kernels::(anonymous namespace)::map_whole<float vector[4], unroll::kernels::tanh(', 'mul'],
];

/** Reads LEB128 numbers, and data preceded by their length. */
class Reader {
  #at = 0;
  constructor(readonly bytes: Uint8Array) {}

  get done(): boolean {
    return this.#at >= this.bytes.length;
  }
  number(): number {
    for (let value = 0, unit = 1; ; unit *= 128) {
      const byte = this.bytes[this.#at++]!;
      value += (byte % 128) * unit;
      if (byte < 128) return value;
    }
  }
  part(): Uint8Array {
    const length = this.number();
    return this.bytes.subarray(this.#at, (this.#at += length));
  }
}

/** The bodies of the functions that a module defines, in order. */
function bodiesOf(wasm: Uint8Array): Uint8Array[] {
  const code = 10;
  const sections = new Reader(wasm.subarray(8)); // after the magic number and the version
  while (!sections.done) {
    const id = sections.number();
    const section = new Reader(sections.part());
    if (id === code) return Array.from({ length: section.number() }, () => section.part());
  }
  throw new Error('the module has no code');
}

/** C++ names. Imported functions come first, and have no body. */
const namesIn = (symbols: string): string[] =>
  symbols
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\d+:/, '').replace(/\\(..)/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))));

async function functionsOf(module: string): Promise<Map<string, Buffer>> {
  const bodies = bodiesOf(await readFile(fromRoot(`build/wasm/${module}.wasm`)));
  const names = namesIn(await readFile(fromRoot(`build/wasm/${module}.mjs.symbols`), 'utf8')).slice(-bodies.length);
  return new Map(
    names.map((name, i) => [name.replace(/^void /, '').replace(/^unroll::/, ''), Buffer.from(bodies[i]!)]),
  );
}

it.each(MODULES)('%s', async (module) => {
  const functions = await functionsOf(`engine_${module}`);
  const scalar = HOT.filter(([names, instruction]) => {
    const beginnings = names.split(' | ');
    const found = [...functions].filter(([name]) => beginnings.some((each) => name.startsWith(each)));
    return !found.some(([, body]) => body.includes(Buffer.from(SIMD[instruction])));
  });
  expect(scalar).toEqual([]);
});
