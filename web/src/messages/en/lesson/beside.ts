// On the workbench: another model beside the one there.
import { grouped, listed } from '../../intl';

export const BESIDE = 'Beside another model';
export const ABOUT =
  'Both learn the same task from the same seed. You see their losses, what they write for texts they have never seen, and the first tensor that differs.';
export const ABOUT_RUN = 'Both run on the same input, from the same seed. You see the first tensor that differs.';

export const CHANGED = 'The other model is';
/** By what the reader chooses. */
export const WAYS = {
  setting: 'this one, with one setting changed',
  fresh: 'of another kind',
  left: 'one you left here',
  rung: 'the next rung of the ladder',
};

/**
 * The ladder from the plain encoder–decoder to Luong's attention. `title`: the rung as a model; `step`: what it has that
 * the one below it lacks, and who proposed it.
 */
export const RUNGS = {
  plain: { title: 'plain cells', step: '' },
  gated: {
    title: 'gated cells',
    step: 'its cells have gates, as in the GRU (Cho et al., 2014), so a state can be kept unchanged',
  },
  reversed: {
    title: 'source reversed',
    step: 'it reads the source from its end to its beginning (Sutskever et al., 2014)',
  },
  every_step: {
    title: 'context at every step',
    step: 'the decoder sees the last state of the encoder at every step, and not only at the first (Cho et al., 2014)',
  },
  both_ways: {
    title: 'read both ways',
    step: 'one encoder reads the source forwards and another backwards (Schuster and Paliwal, 1997)',
  },
  attention: {
    title: 'attention',
    step: 'the decoder looks back at all states of the encoder and weights them anew at every step (Bahdanau et al., 2014)',
  },
  luong: {
    title: 'Luong’s wiring',
    step: 'it attends with its new state, after the cell, and not with the one before (Luong et al., 2015)',
  },
  general: {
    title: 'general score',
    step: 'the score is a product with one matrix between query and key, without a hidden layer (Luong et al., 2015)',
  },
  input_feeding: {
    title: 'input feeding',
    step: 'what it attended to goes into the next step along with the next input (Luong et al., 2015)',
  },
};
export const RUNG = 'Rungs';
/** "plain cells → gated cells". */
export const fromTo = (lower: string, upper: string): string => `${lower} → ${upper}`;
export const aboutRungs = (task: string, steps: string): string =>
  `Each rung of this ladder has one thing more than the one below it. Both learn the task ${task}. The upper one: ${steps}.`;
export const predictUpper = (upper: string): string =>
  `How much will “${upper}” write without a mistake? Draw it first, by source length.`;
/** Percentage points. */
export const upperIsBetter = (upper: string, points: number): string =>
  points === 0
    ? `On average, “${upper}” writes as much without a mistake as the rung below it.`
    : `On average over the lengths, “${upper}” writes ${Math.abs(points)} percentage points ${points > 0 ? 'more' : 'less'} without a mistake than the rung below it.`;
export const SETTING = 'Setting';
export const VALUE = 'Changed to';
export const KIND = 'Other model';
export const SEEDS = 'Seeds';
export const seedsOf = (count: number): string => (count === 1 ? 'one seed' : `${count} seeds`);
export const YES_OR_NO = { true: 'yes', false: 'no' };
export const settingIs = (setting: string, value: string): string => `${setting} ${value}`;
export const THIS_MODEL = 'the model here';
export const asLeft = (title: string): string => `${title}, as you left it`;

/** "Cell gru → lstm". */
export const settingDiffers = (setting: string, before: string, after: string): string =>
  `${setting} ${before} → ${after}`;
export const differIn = (settings: readonly string[]): string =>
  settings.length === 1 ? `They differ in one setting: ${settings[0]}.` : `They differ in ${listed(settings)}.`;
export const trainedFor = (one: number, other: number): string =>
  one === other
    ? `Both train for ${grouped(one)} steps.`
    : `The first trains for ${grouped(one)} steps, the second for ${grouped(other)}, as their settings say.`;

export const BUILDING = 'Both models are being built.';
export const TRAIN_BOTH = 'Train both';
export const RUN_BOTH = 'Run both';
export const BOTH_TRAINED = 'Both are trained.';
export const RAN = 'Both have run.';
export const testing = (model: string): string => `testing ${model}`;
export const withSeed = (model: string, seed: number): string => `${model}, seed ${seed}`;
/** Of several seeds. */
export const meanWithRange = (mean: string, least: string, most: string): string => `${mean} (${least} to ${most})`;

// A model of the comparison comes to the workbench

export const bring = (model: string): string => `Take “${model}” to the workbench`;
export const brought = (model: string): string => `The workbench has “${model}” now, untrained.`;

// What cannot be compared

export const noSuchSetting = (name: string): string =>
  `This model has no setting “${name}” to change: choose one of the list.`;
export const sameValue = (setting: string, value: string): string =>
  `${setting} is ${value} here already: choose another value for the other model.`;
export const OWN_DATA = 'texts of your own';
export const taskNamed = (task: string, length: number, digits: number): string =>
  `${task}${Number.isNaN(length) ? '' : `, words up to ${length}`}${Number.isNaN(digits) ? '' : `, up to ${digits} digits`}`;
export const otherTask = (model: string, its: string, mine: string): string =>
  `Task: ${model} learns ${its}, and the model here ${mine}. Two models can be compared on one task: choose the same task for both under Model.`;
export const GONE = 'The model that you left here is no longer in this browser: choose another one.';
/** Megabytes. */
export const tooLarge = (needed: number, most: number): string =>
  `Training these models at once takes about ${grouped(needed)} MB, and a page has ${grouped(most)}: choose one seed, a smaller batch or a smaller model.`;

// One input through both

export const THROUGH = 'One input through both';
export const reads = (source: string): string => `Both read “${source}”.`;
export const BEFORE = 'Before training';
export const AFTER = 'After training';
export const NOW = 'Here';
/** A tensor whose values differ; its name comes between the two parts. */
export const FIRST = 'the first tensor that differs is ';
/** A parameter or an input. */
export const FIRST_LEAF = 'they differ before anything is computed: the first tensor that differs is ';
/** "(7, 64): 12 of 448 values differ, most at (1, 3), where it is 0.12 and 0.31." */
export function whereItDiffers(gap: {
  shape: readonly number[];
  cells: number;
  count: number;
  at: readonly number[];
  values: readonly [string, string];
  apart: string;
}): string {
  const [a, b] = gap.values;
  if (gap.cells === 1) return `: ${a} in the first model, ${b} in the second (${gap.apart} apart).`;
  const all = `${grouped(gap.count)} of its ${grouped(gap.cells)} values differ`;
  return ` of shape (${gap.shape.join(', ')}): ${all}, most at (${gap.at.join(', ')}), with ${a} in the first model and ${b} in the second (${gap.apart} apart).`;
}
export const sameTensors = (count: number): string =>
  `all ${grouped(count)} tensors that both have under one name and shape are the same, bit for bit.`;
export const NO_TENSORS_ALIKE = 'no tensor has the same name and shape in both, so their values cannot be compared.';
export const comparedBefore = (count: number): string =>
  count === 1 ? 'One tensor before it is the same.' : `The ${grouped(count)} tensors before it are the same.`;
export const reshaped = (name: string, a: readonly number[], b: readonly number[]): string =>
  `${name} has shape (${a.join(', ')}) in the first model and (${b.join(', ')}) in the second.`;
export const ONLY = 'Only the first model has ';
export const ONLY_SECOND = 'Only the second model has ';
export const openTensor = (name: string): string => `Show ${name} among the numbers`;

export const WRITES = 'What each writes';
export const POSITION = 'position';
export const TARGET = 'target';
export const probabilityOf = (model: string): string => `p, ${model}`;
export const ALL_OF_IT = 'whole output';
export const EXPORT = 'Export as CSV';
