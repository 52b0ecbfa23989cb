// The rungs from the plain encoder–decoder to Luong's attention, each with one thing more than the one below it, as
// engine/models/rungs.json has them.
import * as texts from '#messages/lesson/beside';
import type { Config } from '../../../engine/types';
import table from '../../../../../engine/models/rungs.json' with { type: 'json' };
import { keepTyped, typedAt } from '../../../lab/store/web-storage';
import type { LengthsAxis } from '../../format/comparisons';
import { drawnIn, drawnText, type Drawn } from '../drawn/gap';
import type { Two } from './other';

type Name = keyof typeof texts.RUNGS;

/** Source lengths at which the reader draws what the upper rung will do. */
export const AXIS: LengthsAxis = { over: 'length', lengths: table.lengths };

export const RUNGS = table.rungs.map(({ name, with: own }: { name: string; with: object }) => ({
  name: name as Name,
  with: own as Config,
}));

/** The settings of a rung, from 0: those of all below it, and its own. */
export const rungConfig = (at: number): Config =>
  RUNGS.slice(0, at + 1).reduce((config, rung) => ({ ...config, ...rung.with }), table.task as Config);

export const rungTitle = (at: number): string => texts.RUNGS[RUNGS[at]!.name].title;

/** What the upper of two neighbours has that the lower has not. */
export const rungStep = (lower: number): string => texts.RUNGS[RUNGS[lower + 1]!.name].step;

/** The lower rungs of all pairs of neighbours. */
export const LOWER: readonly number[] = RUNGS.slice(1).map((_, i) => i);

export const neighbours = (lower: number, seed: number): Two => {
  const modelOf = (at: number) => ({ label: rungTitle(at), config: { ...rungConfig(at), seed } });
  return [modelOf(lower), modelOf(lower + 1)];
};

// What the reader draws before the upper of two rungs is measured, which the browser keeps.

const keyOf = (lower: number): string => `drawn-rung-${lower}`;

export const drawnAt = (lower: number): Drawn | null => drawnIn(typedAt(keyOf(lower)), AXIS.lengths.length);

export const keepDrawn = (lower: number, values: readonly number[]): void =>
  keepTyped(keyOf(lower), drawnText({ values, measured: false }));
