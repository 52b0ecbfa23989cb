// The hot loops in the page's modules use SIMD. Most of the engine is compiled for size, which leaves loops scalar: see
// bindings/emscripten.cmake.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { MODULES } from '../../web/src/engine/kinds';
import { fromRoot } from './modules';

/** SIMD instructions, most on four floats, as encoded: the SIMD prefix, then an opcode in LEB128. */
const SIMD = {
  store: [0xfd, 0x0b],
  choose: [0xfd, 0x52],
  greater: [0xfd, 0x44],
  negate: [0xfd, 0xe1, 0x01],
  sqrt: [0xfd, 0xe3, 0x01],
  add: [0xfd, 0xe4, 0x01],
  sub: [0xfd, 0xe5, 0x01],
  mul: [0xfd, 0xe6, 0x01],
  div: [0xfd, 0xe7, 0x01],
  pmax: [0xfd, 0xeb, 0x01],
} as const;

/** How the symbols of a gradient and of a function of single values begin. */
const gradient = (of: string) => `Vjp::behaviour<${of}`;
const map = (name: string) => `kernels::map_whole<float vector[4], kernels::${name}(`;

/**
 * Functions and the instructions of their loops, in every module that has them. "a | b": the linker may inline one into
 * the other, so either name may appear.
 */
const HOT: [names: string, instruction: keyof typeof SIMD][] = [
  // arithmetic, with broadcasting
  ['add( | operator+(', 'add'],
  ['subtract( | operator-(Operand, Operand)', 'sub'],
  ['multiply( | operator*(', 'mul'],
  ['divide( | operator/(', 'div'],
  ['negate(', 'negate'],
  ['sqrt( | kernels::sqrt(', 'sqrt'],
  // sums
  ['add_to(', 'add'],
  ['sum_of<sum_of(', 'add'],
  ['gradient_norm(', 'mul'],
  // products
  ['kernels::tile<1>(', 'mul'],
  ['kernels::tile<2>(', 'mul'],
  ['kernels::tile<3>(', 'mul'],
  ['kernels::tile<4>(', 'mul'],
  ['kernels::pack_strip<4>(', 'store'],
  ['kernels::pack_panel(', 'store'],
  ['kernels::accumulate_rows(', 'mul'],
  ['kernels::accumulate_dots(', 'mul'],
  // functions and activations, and their gradients
  ['kernels::exp_blocks(', 'mul'],
  [map('exp'), 'mul'],
  [map('log'), 'mul'],
  [map('tanh'), 'mul'],
  [map('sigmoid'), 'mul'],
  [map('erf'), 'mul'],
  [map('sin'), 'choose'], // sine and cosine compute in double precision
  [map('cos'), 'choose'],
  ['relu(', 'pmax'],
  [gradient('relu('), 'greater'],
  ['fused::gelu( | gelu( | apply_feed_forward( | FeedForward::operator()(', 'mul'],
  [gradient('fused::gelu('), 'mul'],
  // softmax, norms, rotary positions, losses
  ['softmax(', 'div'],
  [gradient('fused::softmax('), 'mul'],
  ['Norm::operator()( | fused::layer_norm( | layer_norm(', 'mul'],
  [gradient('fused::GradientOfX<fused::CentredPaths>'), 'mul'],
  [gradient('fused::GradientOfX<fused::DividedPaths>'), 'mul'],
  ['fused::rotate_row<(fused::Direction)1, false>(', 'mul'],
  [gradient('fused::negative_log_likelihood('), 'mul'],
  // recurrent cells, additive attention
  ['gru_step( | fused::gru(', 'mul'],
  [gradient('fused::gru('), 'mul'],
  ['lstm_step( | fused::lstm_cell(', 'mul'],
  [gradient('fused::lstm_cell('), 'mul'],
  [gradient('fused::lstm_output('), 'mul'],
  [gradient('fused::additive_score('), 'mul'],
  // the update
  ['Adam::fused_step(', 'mul'],
  ['Adam::fused_step(', 'sqrt'],
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

/** "void unroll::kernels::(anonymous namespace)::f(…)" is called kernels::f(…) here. */
const short = (name: string): string =>
  name
    .replace(/^(void|float) /, '')
    .replaceAll('unroll::', '')
    .replaceAll('(anonymous namespace)::', '');

/** The bodies of a module's functions, by name. Two can have the same name. */
async function functionsOf(module: string): Promise<[name: string, body: Buffer][]> {
  const bodies = bodiesOf(await readFile(fromRoot(`build/wasm/engine_${module}.wasm`)));
  const symbols = await readFile(fromRoot(`build/wasm/engine_${module}.mjs.symbols`), 'utf8');
  const names = namesIn(symbols).slice(-bodies.length);
  return names.map((name, i) => [short(name), Buffer.from(bodies[i]!)]);
}

/** The bodies of a row of HOT in a module. */
function bodiesNamed(names: string, functions: [name: string, body: Buffer][]): Buffer[] {
  const beginnings = names.split(' | ');
  return functions.filter(([name]) => beginnings.some((each) => name.startsWith(each))).map(([, body]) => body);
}

it.each(MODULES)('%s', async (module) => {
  const functions = await functionsOf(module);
  const scalar = HOT.filter(([names, instruction]) => {
    const found = bodiesNamed(names, functions);
    return found.length > 0 && !found.some((body) => body.includes(Buffer.from(SIMD[instruction])));
  });
  expect(scalar).toEqual([]);
});

it('finds each of these functions in some module', async () => {
  const all = (await Promise.all(MODULES.map(functionsOf))).flat();
  expect(HOT.filter(([names]) => bodiesNamed(names, all).length === 0)).toEqual([]);
});
