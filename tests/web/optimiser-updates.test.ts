// One update of every optimiser as the page tells it: its tensors against the formulas of the papers, computed here in
// double precision, and each of its steps with its numbers written in.
import type { TemplateResult } from 'lit';
import { describe, expect, it } from 'vitest';
import { inNumbers } from '../../web/src/figures/shared/formula';
import type { Trace } from '../../web/src/engine/types';
import { value as granted } from '../bindings/modules';
import { sessionOf, traceIn } from './views-engine';

const RATE = 0.02;
const [B1, B2, EPSILON] = [0.9, 0.999, 1e-8];

/** The tensors of an update of one number, by their names in the trace. */
type Update = Record<string, number>;
/** The next w, from the gradient g at step t, counted from 1; `kept` is what the optimiser keeps, 0 at first. */
type Rule = (w: number, g: number, kept: { m: number; v: number }, t: number) => Update;

function adam(w: number, g: number, kept: { m: number; v: number }, t: number): Update {
  const m = B1 * kept.m + (1 - B1) * g;
  const v = B2 * kept.v + (1 - B2) * g * g;
  const [scaled, root] = [(RATE * m) / (1 - B1 ** t), Math.sqrt(v / (1 - B2 ** t))];
  const step = scaled / (root + EPSILON);
  return { m, v, 'η m̂': scaled, '√v̂': root, step, w: w - step };
}

const rms = (v: number, w: number, g: number, epsilon: number): Update => {
  const step = (RATE * g) / (Math.sqrt(v) + epsilon);
  return { v, step, w: w - step };
};

const RULES: Record<string, Rule> = {
  sgd: (w, g) => ({ step: RATE * g, w: w - RATE * g }),
  momentum: (w, g, kept) => {
    const v = 0.9 * kept.v + g;
    return { v, step: RATE * v, w: w - RATE * v };
  },
  nesterov: (w, g, kept) => {
    const v = 0.9 * kept.v + g;
    const step = RATE * (g + 0.9 * v);
    return { v, step, w: w - step };
  },
  adam,
  adamw: (w, g, kept, t) => {
    const decayed = (1 - RATE * 0.01) * w;
    return { ...adam(decayed, g, kept, t), 'w decayed': decayed };
  },
  rmsprop: (w, g, kept) => rms(0.99 * kept.v + 0.01 * g * g, w, g, 1e-8),
  adagrad: (w, g, kept) => rms(kept.v + g * g, w, g, 1e-10),
};

const CLIP = 0.05;
const PARAMETER = 'W_Q';
const CELL = 4;

interface Look {
  trace: Trace;
  at: (name: string) => number;
  valuesOf: (node: { id: number }) => Float32Array;
}

/** The traces of so many steps, each of the update that training then takes. */
async function looks(optimiser: string, steps: number): Promise<Look[]> {
  const session = await sessionOf({ kind: 'attention', seed: 11, optimiser, learning_rate: RATE, clip_norm: CLIP });
  const all: Look[] = [];
  for (let t = 0; t < steps; t++) {
    granted(session.run([]));
    const trace = traceIn(session);
    const values = new Map(trace.nodes.map(({ id }) => [id, granted(session.values(id))]));
    const valuesOf = ({ id }: { id: number }): Float32Array => values.get(id)!;
    const at = (name: string): number => valuesOf(trace.nodes.find((node) => node.name === name)!)[CELL]!;
    all.push({ trace, at, valuesOf });
    granted(session.train(1));
  }
  session.delete();
  return all;
}

/** The gradient of the cell, scaled where the norm of all gradients is larger than the bound. */
function clipped({ trace, valuesOf, at }: Look): number {
  const gradients = ['W_Q', 'W_K', 'W_V'].map((name) =>
    valuesOf(trace.nodes.find((node) => node.name === `∂${name}`)!),
  );
  const norm = Math.sqrt(gradients.flatMap((all) => [...all]).reduce((sum, x) => sum + x * x, 0));
  return at(`∂${PARAMETER}`) * (norm > CLIP ? CLIP / (norm + 1e-6) : 1);
}

/** A template as text, with a fraction as "(above)/(below)". */
function read(part: unknown): string {
  if (Array.isArray(part)) return part.map(read).join('');
  if (typeof part !== 'object' || part === null) return String(part);
  const { strings, values } = part as TemplateResult;
  const text = strings.reduce((all, piece, i) => all + read(values[i - 1]) + piece);
  const isFraction = text.includes('class="frac"');
  const plain = text.replace('</span><span>', ')/(').replace(/<[^>]*>/g, '');
  return isFraction ? `(${plain})` : plain;
}

/** What a line of the page says, worked out: "0.9 · (−0.2) + 0.1 · 0.3²". */
function workedOut(line: string): number {
  const script = line
    .replace(/[·×]/g, '*')
    .replace(/−/g, '-')
    .replace(/10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, power: string) => `(10**(${[...power].map(digit).join('')}))`)
    .replace(/²/g, '**2')
    .replace(/√/g, 'Math.sqrt');
  return Number(new Function(`return ${script}`)());
}
const digit = (raised: string): string => (raised === '⁻' ? '-' : String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(raised)));

describe.each(Object.entries(RULES))('an update by %s', (optimiser, rule) => {
  it('has the numbers of the paper’s formula, step after step', async () => {
    let kept = { m: 0, v: 0 };
    for (const [i, look] of (await looks(optimiser, 4)).entries()) {
      const { w, m = 0, v = 0, ...others } = rule(look.at(PARAMETER), clipped(look), kept, i + 1);
      const wanted = { ...others, ...(m && { m }), ...(v && { v }) };
      for (const [name, number] of Object.entries(wanted))
        expect(look.at(`update.${PARAMETER}/${name}`) / number, `${name}, step ${i + 1}`).toBeCloseTo(1, 4);
      expect(look.at(`update/${PARAMETER}`)).toBeCloseTo(w!, 6);
      kept = { m, v };
    }
  });

  it('gives each number that its line works out', async () => {
    const { trace, valuesOf } = (await looks(optimiser, 3))[2]!;
    const steps = trace.nodes.filter(
      ({ name, inputs, phase }) => phase === 'update' && inputs.length && name.includes(PARAMETER),
    );
    expect(steps.length).toBeGreaterThan(2);
    for (const node of steps) {
      const line = read(inNumbers(trace, node, CELL, valuesOf));
      expect(workedOut(line) / valuesOf(node)[CELL]!, `${node.name} = ${line}`).toBeCloseTo(1, 3);
    }
  });
});
