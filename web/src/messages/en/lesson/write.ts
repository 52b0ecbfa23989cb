// What a model writes, and how it is to write.
import { counted, listed, plural } from '../../intl';
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

/** A model writes with edited parameters; other edits are of a run on the bench. */
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
  /** Names of parameters that the reader changed. */
  changed: readonly string[];
}

/** "Beam search, width 4, after 1,200 steps of training, with out.bias as you changed it". */
export function howWritten({ method, settings, draw, steps: count, changed }: Writing): string {
  const named = settings.map(([label, value]) => `${label.toLowerCase()} ${value}`);
  const trained = count ? `after ${steps(count)} of training` : 'before any training';
  const yours = changed.length ? [`with ${listed(changed)} as you changed ${changed.length > 1 ? 'them' : 'it'}`] : [];
  return [method, ...named, ...(draw === null ? [] : [`draw ${draw}`]), trained, ...yours].join(', ');
}

export const ownTarget = (target: string): string => `The pair’s own target: ${target}`;
/** Of a token that is wrong by the rule of the task; "" for one that should not be there. */
export const insteadOf = (wanted: string): string => (wanted ? ` in place of ${wanted}` : ' too many');
export const rightIs = (target: string): string => `Right would be ${target}. What differs is underlined.`;
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
