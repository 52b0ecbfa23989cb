// A whole file that was pasted into the editor.
import { counted, grouped } from '../../intl';

export const TITLE = 'The file you pasted';

/** "43 lines are left out, because the lab does their work." */
export const leftOut = (count: number): string =>
  `${counted(count, { one: 'line is', other: 'lines are' })} left out, because the model does not need them.`;

/** "Lines 8–11: reads files or the network (open)." */
export const why = (first: number, last: number, reason: string): string =>
  `${first === last ? `Line ${grouped(first)}` : `Lines ${grouped(first)}–${grouped(last)}`}: ${reason}.`;

export const RESTORE = 'Bring them back';
export const JOINING = 'These lines make a small model and call it as the lab does:';
export const MODEL = 'Model of the file';
export const INSERT = 'Add these lines';
export const CLOSE = 'Close';

/** The file has a model that is called in another way than the kind of model that is chosen. */
export const otherKind = (model: string, takesPairs: boolean): string =>
  takesPairs
    ? `${model} reads a source and a target: choose “Your own sequence to sequence” to train it, then paste the file again.`
    : `${model} reads one text: choose “Your own language model” to train it, then paste the file again.`;
export const NO_JOINING =
  'How this model wants to be called was not found: write a function forward below that returns its logits.';
