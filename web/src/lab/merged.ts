// A lesson that became a part of another one had a model of its own. The states that links and browsers keep hold only what
// differs from it.
import { experimentOf } from './changes';
import { newName, withoutNumber } from './old-names';
import type { Page } from './page';
import type { State } from '../engine/types';

type Opened = Pick<Page, 'config' | 'seed' | 'inputs' | 'pair' | 'trained'>;

/** What the page of each opened with. */
const OPENED: Readonly<Record<string, Opened>> = {
  'two-wirings': {
    config: {
      ...{ kind: 'seq2seq', task: 'reverse', length: 5, cell: 'gru', attention: 'bahdanau', input_feeding: true },
      ...{ embedding: 8, hidden: 16, attention_size: 8, optimiser: 'adam', learning_rate: 0.01, batch: 64 },
    },
    seed: 1,
    inputs: [],
    pair: ['badge', 'egdab'],
    trained: { steps: 400, weights: '' },
  },
};

/** The same experiment, as a state of the page of the lesson now. */
export function stateNow(state: State): State {
  const lesson = newName(state.lesson);
  const page = OPENED[withoutNumber(state.lesson)];
  if (!page) return { ...state, lesson };
  const { config, inputs, pair, steps } = experimentOf(page as Page, state);
  const { seed, ...settings } = config;
  return { ...state, lesson, config: settings, seed: Number(seed), inputs, pair, steps };
}
