// Where a sequence-to-sequence model starts for each task: the engine's own recipes (engine/train/recipes.cpp).
import type { Config } from '../types';

export const TASKS = ['reverse', 'copy', 'sort', 'addition', 'dates', 'translate-en-fr'];
export const ATTENTION = ['none', 'bahdanau', 'luong'];

interface Sizes {
  embedding: number;
  hidden: number;
  attention_size: number;
  batch: number;
  steps: number;
  learning_rate: number;
}

const letters: Sizes = {
  embedding: 32,
  hidden: 64,
  attention_size: 64,
  batch: 64,
  steps: 300,
  learning_rate: 4e-3,
};
const SIZES: Record<string, Sizes> = {
  reverse: letters,
  copy: letters,
  sort: { ...letters, steps: 400 },
  addition: { embedding: 8, hidden: 128, attention_size: 128, batch: 64, steps: 4000, learning_rate: 6e-3 },
  dates: { ...letters, steps: 350 },
  'translate-en-fr': { embedding: 64, hidden: 96, attention_size: 128, batch: 16, steps: 4000, learning_rate: 3e-3 },
};
/** Of the steps, while the learning rate rises. */
const WARMUP = 15 / 100;

/** Reading backwards helps where the first thing to write stands last; attention needs no such help. */
const readsBackwards = (task: string, attention: string): boolean => task === 'addition' && attention === 'none';

/** What follows from how the decoder looks at the source. */
export const wiring = (task: string, attention: string): Config => ({
  attention,
  bidirectional: attention === 'bahdanau',
  input_feeding: attention === 'luong',
  reverse_source: readsBackwards(task, attention),
});

/** Settings that learn the task; those of reverse for a task of the learner's own. */
export function recipe(task: string, cell: string, attention: string): Config {
  const sizes = SIZES[task] ?? letters;
  return {
    cell,
    ...wiring(task, attention),
    ...sizes,
    optimiser: 'adamw',
    schedule: 'cosine',
    warmup: Math.floor(sizes.steps * WARMUP),
  };
}
