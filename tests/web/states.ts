// Random page states, most of which fit into a link.
import { emptyState } from '../../web/src/lab/link/table';
import { STAGES } from '../../web/src/lab/stages';
import type { State } from '../../web/src/engine/types';

export type Random = () => number;

/** Seeded random numbers in [0, 1). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const below = (random: Random, limit: number): number => Math.floor(random() * limit);
export const pick = <T>(random: Random, from: readonly T[]): T => from[below(random, from.length)]!;
const many = <T>(random: Random, most: number, one: () => T): T[] =>
  Array.from({ length: below(random, most + 1) }, one);

const NAMES = ['X', 'mask', 'attention/α', 'decoder.t0.attention/e', 'encoder.0.W', '∂h', 'x'.repeat(130), '<b>', ''];
const VALUES = [0, -0, 1, -1, 0.1, 1e-30, -1e30, Infinity, -Infinity, 3.4e38, Math.PI];
const SIZES = [0, 1, 7, 4096, 100_000, 100_001, 1_000_001];

function setting(random: Random): string | number | boolean | number[] {
  return pick(random, ['gru', 'a'.repeat(64), 'a'.repeat(65), 3, -0.5, true, [1, 2, 3], [], '"</script>']);
}

/** About one in ten contains something that no link can hold. */
export function anyState(random: Random): State {
  const value = (): number => (random() < 0.3 ? pick(random, VALUES) : random() * 8 - 4);
  const size = (): number => pick(random, random() < 0.97 ? SIZES.slice(0, 5) : SIZES);
  const name = (): string => pick(random, random() < 0.97 ? NAMES.slice(0, 6) : NAMES);
  const rarely = (): boolean => random() < 0.02;
  const program: { program?: string } = random() < 0.8 ? {} : { program: 'def f(x=ones(2)):\n    return 2 * x\n' };
  return {
    ...emptyState(pick(random, ['', 'softmax', 'four-words'])),
    section: pick(random, ['', 'weights', 'é-ü']),
    config: {
      ...Object.fromEntries(many(random, 4, () => [pick(random, ['kind', 'cell', 'mask', 'scores']), setting(random)])),
      ...program,
    },
    seed: random() < 0.5 ? null : pick(random, [0, 7, 2 ** 32 - 1]),
    inputs: many(random, rarely() ? 20 : 2, () => ({
      name: name(),
      at: size(),
      values: Array.from({ length: below(random, rarely() ? 5000 : 20) }, value),
    })),
    pair:
      random() < 0.7
        ? null
        : [pick(random, ['', 'abc', 'naïve 한국어']), pick(random, ['', 'x'.repeat(rarely() ? 1001 : 9)])],
    steps: random() < 0.5 ? null : size(),
    takenOver: !program.program ? '' : pick(random, ['0a1b2c3d', 'x'.repeat(rarely() ? 17 : 16)]),
    edits: many(random, rarely() ? 1100 : 6, () => ({ name: name(), index: Math.min(size(), 1e6), value: value() })),
    interventions: many(random, 2, () => ({
      kind: pick(random, rarely() ? ['silence'] : ['zero', 'hidden', 'frozen', 'from']),
      tensor: `${name()}[:, 1]`,
      training: random() < 0.5,
      source: pick(random, ['', 'abc']),
      target: '',
    })),
    selection: random() < 0.5 ? null : { node: name(), index: below(random, 50) },
    shown: random() < 0.7 ? {} : { 'u-heads': { front: below(random, 9), look: 'decoder.1.attention/α' } },
    stage: random() < 0.5 ? null : pick(random, STAGES),
    pinned: random() < 0.7 ? null : pick(random, [...STAGES, 'none']),
  };
}
