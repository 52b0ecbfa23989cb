// What if a part were silent, hidden, frozen, or came from another run: what can be done to a tensor, what is in force, and
// what comes of it.

export const WHAT_IF = 'What if …';
export const PART = 'Which part';

/** The parts of a tensor that can be chosen; `all` of it, or those through the chosen cell. */
export const PARTS = {
  all: 'all of it',
  head: 'this head',
  row: 'this row',
  column: 'this column',
  cell: 'this number',
} as const;
export const atEveryPosition = (part: string): string => `${part}, at every position`;

export const ACTIONS = {
  zero: 'Silence',
  mean: 'Replace by mean',
  hidden: 'Hide',
  detach: 'Stop the gradient',
  frozen: 'Freeze',
  from: 'Take from another input …',
} as const;
/** What each does, for those who rest on it. */
export const MEANINGS = {
  zero: 'What if these numbers were 0?',
  mean: 'What if each row were the mean of all rows?',
  hidden: 'What if these scores were −∞, so that nothing is looked at here?',
  detach: 'What if no gradient flowed back from here?',
  frozen: 'What if training left this parameter as it is? The model is trained again, from its seed.',
  from: 'What if these numbers came from a run on another input?',
} as const;
export const OTHER_SOURCE = 'The other input';
export const TAKE = 'Take';
export const CANCEL = 'Cancel';

/** An entry of the list of what is in force. */
export const DONE: Readonly<Record<string, string>> = {
  zero: 'silent',
  mean: 'replaced by its mean',
  hidden: 'hidden',
  detach: 'without gradient',
  frozen: 'frozen',
  from: 'taken from',
};
export const WHILE_TRAINING = 'while training, too';
export const IN_FORCE = 'What is changed';
export const undo = (tensor: string): string => `Undo: ${tensor}`;
export const UNDO_ALL = 'Undo all';

export const COUNTING = 'The effect is being computed …';
export const lossWas = (before: string, after: string): string => `Loss ${before} → ${after}.`;
/** The token of the target whose probability changed most, at its position from 0 on. */
export const logitWas = (token: string, position: number, before: string, after: string): string =>
  ` Changed most: ${token} at position ${position}, logit ${before} → ${after}.`;
export const stillWrites = <T>(text: T): (T | string)[] => ['The model still writes ', text, '. '];
export const writesNow = <T>(before: T, after: T): (T | string)[] => [
  'The model wrote ',
  before,
  ', and now ',
  after,
  '. ',
];
/** A model that writes <eos> at once. */
export const NOTHING_WRITTEN = 'nothing';

export const SWEEP = 'Try each in turn';
export const SWEEP_MEANS = 'Each word, row or position is changed alone: what becomes of each token of the target?';
export const STOP = 'Stop';
export const tried = (done: number, of: number): string => `${done} of ${of}`;
