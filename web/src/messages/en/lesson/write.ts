// What a model writes, and how it is to write.
import { counted, plural } from '../../intl';
import { steps } from './counts';

export const METHOD = 'Method';
export const GREEDY = 'Greedy';
export const BEAM_SEARCH = 'Beam search';
export const SAMPLE = 'Sample';

export const WIDTH = 'Width';
export const LENGTH_NORMALISATION = 'Length normalisation';
export const TEMPERATURE = 'Temperature';
export const TOP_K = 'Top k';
export const TOP_P = 'Top p';
/** In an empty field: a setting that keeps all tokens. */
export const ALL = 'all';

export const DRAW = 'Draw';
export const WRITE = 'Write';

/** Generation uses the model as trained, without the edits of the run on the bench. */
export const withoutEdits = (edits: number): string =>
  plural(edits, {
    one: 'The value you changed on the bench applies only there, not here.',
    other: 'The values you changed on the bench apply only there, not here.',
  });

interface Writing {
  method: string;
  settings: readonly (readonly [label: string, value: string])[];
  /** Its number, if there is only one. */
  draw: number | null;
  steps: number;
}

/** "Beam search, width 4, after 1,200 steps of training". */
export function howWritten({ method, settings, draw, steps: count }: Writing): string {
  const named = settings.map(([label, value]) => `${label.toLowerCase()} ${value}`);
  const trained = count ? `after ${steps(count)} of training` : 'before any training';
  return [method, ...named, ...(draw === null ? [] : [`draw ${draw}`]), trained].join(', ');
}

export const ownTarget = (target: string): string => `The pair’s own target: ${target}`;
export const WRITTEN = 'What the model writes, with the probability of each token';
/** Below a token of the prompt. */
export const GIVEN = 'given';
/** `cutOff` is the number of tokens of a text that did not end. */
export function probability(p: string, cutOff: number | null): string {
  const whole = `p of the whole text ${p}`;
  if (cutOff === null) return whole;
  return `${whole}, cut off after ${counted(cutOff, { one: 'token', other: 'tokens' })}`;
}

// The table of draws

export const DRAWS = 'Draws';
export const outOf = (draws: number): string => `of ${draws}`;
export const TEXT = 'text';
export const NOTHING = '(nothing)';
export const others = (texts: number, draws: number): string =>
  `and ${counted(texts, { one: 'other text', other: 'other texts' })} in ${counted(draws, { one: 'draw', other: 'draws' })}`;
