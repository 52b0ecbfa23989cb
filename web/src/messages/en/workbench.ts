// The workbench: models, settings, and data of the learner's own.
import { grouped } from '../intl';

export const MODEL = 'Model';
export const MORE_SETTINGS = 'More settings';

export const MODELS = {
  attention: {
    title: 'Self-attention',
    about: 'Words attend to each other: queries, keys and values of a few numbers each.',
  },
  attention_layer: {
    title: 'Attention layer',
    about: 'Words attend to each other in several heads, or to the words of a source if there is one.',
  },
  lookup: {
    title: 'One look',
    about: 'A query, keys and values as they are: drag each, and see what the others make of it.',
  },
  seq2seq: {
    title: 'Sequence to sequence',
    about: 'An encoder reads one text, a decoder writes another. It learns a task from pairs of texts.',
  },
  transformer: {
    title: 'Transformer',
    about:
      'An encoder and a decoder built on attention alone: all words of a text at once. It learns a task from pairs of texts.',
  },
  transformer_lm: {
    title: 'Transformer language model',
    about: 'Only a decoder: it learns to continue texts, word by word.',
  },
  captioner: {
    title: 'Captioner',
    about: 'Convolutions read a picture; a decoder attends to its regions and describes what is there.',
  },
  recurrent: {
    title: 'Recurrent cell',
    about: 'One cell reads a short sequence step by step: follow every gate, and see how far back a gradient reaches.',
  },
  softmax: {
    title: 'Softmax',
    about: 'Scores in, weights out, and the loss of picking one of them.',
  },
  unigram: {
    title: 'Unigram',
    about: 'One score for each word, whatever came before. It learns from examples: take one step at a time.',
  },
  program: {
    title: 'Your own function',
    about:
      'Write it in the code pane: lines of Python with PyTorch’s names. Step it, edit its values, check its gradients.',
  },
  program_lm: {
    title: 'Your own language model',
    about: 'Write a model that continues texts, then train it: forward(ids) returns logits.',
  },
  program_seq2seq: {
    title: 'Your own sequence to sequence',
    about: 'Write a model that turns one text into another, then train it: forward(source, target_in) returns logits.',
  },
};

export const GROUPS = { model: 'Model', training: 'Training', initialisation: 'Initialisation', writing: 'Writing' };

/** By the engine's name of the setting. */
const LABELS: Readonly<Record<string, string>> = {
  bidirectional: 'Bidirectional',
  cell: 'Cell',
  attention: 'Attention',
  score: 'Score',
  embedding: 'Embedding size',
  hidden: 'Hidden size',
  context: 'Context goes to',
  reverse_source: 'Reverse the source',
  attention_size: 'Attention size',
  input_feeding: 'Input feeding',
  project_queries: 'Query projection',
  project_keys: 'Key projection',
  project_values: 'Value projection',
  window: 'Window',
  half_width: 'Half width',
  hard: 'Hard attention when writing',
  attention_temperature: 'Temperature when writing',
  positions: 'Positions',
  part: 'Written by you',
  size: 'Numbers per word',
  input_scale: 'Spread of X',
  scale: 'Scale of U',
  orthogonal: 'Orthogonal U',
  bias: 'Biases',
  mask: 'Mask',
  words: 'Words',
  scores: 'Scores',
  temperature: 'Temperature',
  target: 'Target',
  examples: 'Words that came',
  loss: 'Loss',
  layers: 'Layers',
  forget_bias: 'Forget bias',
  task: 'Task',
  length: 'Longest word',
  lag: 'Lag',
  digits: 'Digits',
  learning_rate: 'Learning rate',
  steps: 'Training steps',
  forcing: 'Teacher forcing',
  writing: 'Steps of writing',
  writing_temperature: 'Temperature of writing',
  writing_top_k: 'Top-k',
  writing_top_p: 'Top-p',
  writing_draw: 'Draw',
  writing_width: 'Beam width',
  writing_length_normalisation: 'Length normalisation',
  writing_measure: 'Steps of measuring',
  optimiser: 'Optimiser',
  schedule: 'Schedule',
  warmup: 'Warm-up steps',
  clip_norm: 'Clip gradient norm at',
  weight_decay: 'Weight decay',
  beta2: 'Second-moment decay (β₂)',
  key_value_heads: 'Key/value heads',
  longest: 'Longest text',
  source_words: 'Source words',
  heads: 'Heads',
  sinks: 'Sinks',
  form: 'Computation',
  block: 'Keys per block',
  projections: 'Projections',
  queries: 'Queries',
  keys: 'Keys',
  key_size: 'Size of q, k',
  value_size: 'Size of v',
  output_projection: 'Output projection W_O',
  padding: 'Padding words',
  model_size: 'Model size',
  feed_forward: 'Feed-forward',
  activation: 'Activation',
  norm: 'Norm',
  norm_place: 'Norm placement',
  tied_embedding: 'Tied embedding',
  batch_tokens: 'Max. tokens per step',
  dropout: 'Dropout',
  label_smoothing: 'Label smoothing',
  tokens: 'Read as',
  channels: 'Channels',
  grid_attention: 'Grid attention',
  batch: 'Pairs per step',
  seed: 'Seed',
};

/** Where a kind of model has another label for a setting. */
const LABELS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  recurrent: { size: 'Input size', bias: 'Random biases' },
  transformer_lm: { batch: 'Texts per step' },
  program_lm: { batch: 'Texts per step' },
  captioner: { batch: 'Pictures per step' },
  unigram: { batch: 'Examples per step (0: all)' },
};

export const labelOf = (kind: string, key: string): string => LABELS_OF[kind]?.[key] ?? LABELS[key]!;

export const OWN_DATA = {
  pairs: {
    name: 'own pairs',
    label: 'Your pairs, one per line: source, tab, target',
    use: 'Use these pairs',
    empty: 'Type or paste pairs of your own here, at least two lines of source, tab, target.',
    about:
      'Rows of a spreadsheet, CSV and JSON lines are read too: paste them, or open or drop a file. At most 63 words or characters a side, and 20,000 pairs. The pairs stay in this browser and are not part of a link.',
  },
  text: {
    name: 'own text',
    label: 'Your text',
    use: 'Use this text',
    empty: 'Type or paste a text of your own here.',
    about:
      'At least 100 characters, or 100 words if read as words; beyond 5,000 different ones, the rarest become <unk>. 80 % of the text is used for training. The text stays in this browser and is not part of a link.',
  },
};

type Own = keyof typeof OWN_DATA;

/** Of a kind of model that is chosen again. */
export const AS_LEFT = 'This is the model as you left it.';
export const START_AFRESH = 'Start afresh';
export const STARTED_AFRESH = 'The model starts afresh.';

export const INSERT_TAB = 'Insert a tab';
export const FORGET_ABOUT = 'Do others use this computer too?';
export const FORGET = 'Forget my work';
export const FORGET_ALL =
  'Remove your answers, your progress, your trained models and your own pairs and texts of all lessons from this browser?';
export const NOT_FORGOTTEN = 'This browser did not remove your work: clear the data of this site in its settings.';
export const NOT_IN_USE = 'Not in use yet.';
export const inUse = (counts: string): string => `In use: ${counts}`;
export const stillInUse = (what: Own, counts: string): string =>
  `Still in use: your previous ${what}. ${counts} ${OWN_DATA[what].empty}`;
export const taskInUse = (what: Own, task: string, counts: string): string =>
  `In use: the task ${task}. ${counts} ${OWN_DATA[what].empty}`;
export const tooLong = (what: Own, characters: number, most: number): string =>
  `The ${what} ${what === 'pairs' ? 'have' : 'has'} ${grouped(characters)} characters: the limit is ${grouped(most)}.`;
