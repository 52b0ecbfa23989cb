// The learner's own program in the code pane.
import { counted, grouped, listed } from '../../intl';

export const LABEL = 'Your program. Tab indents; to leave, press Escape, then Tab.';
export const SHOWN = 'Code shown';
export const YOUR_PROGRAM = 'Your program';
export const ENGINE = 'Engine';
/** The layers of torch.nn, which are programs of the language, too. */
export const LIBRARY = 'Library';
export const RUN = 'Run';
export const RUN_TITLE = 'Run (Ctrl + Enter)';
export const EXPORT = 'Save .py';
export const EXPORT_TITLE = 'A file that runs under PyTorch and prints the same numbers';
export const REVERT = 'Undo changes';
/** Leads to the page on writing models. */
export const GUIDE = 'Guide';
/** Typing stopped the engine that checks it. */
export const CHECK_STOPPED =
  'This program stopped the engine that checks what you type. Your model and its training are unchanged: change the program, or run it.';
export const NO_EDITOR = 'The editor could not be loaded: reload the page.';
export const EXAMPLES_TITLE = 'Examples';

/** The program of a part of a model that does what the lab's own part does. */
export const LABS_OWN = 'The lab’s own';

/** By kind of model, then by file. */
export const EXAMPLES = {
  program: { attention: 'Attention' },
  program_lm: { neighbours: 'One token at a time', gpt: 'A GPT' },
  program_seq2seq: { average: 'The mean of the source', bahdanau: 'Bahdanau’s attention' },
};

/** "Kept 5 weights from step 300. New: U. Gone: W." */
export function weightsKept(
  { kept, drawn, dropped }: Record<'kept' | 'drawn' | 'dropped', readonly string[]>,
  steps: number,
): string {
  const all = !drawn.length && !dropped.length;
  if (all) return `All weights from step ${grouped(steps)} are kept.`;
  const count = counted(kept.length, { one: 'weight', other: 'weights' });
  return [
    `Kept ${count} from step ${grouped(steps)}.`,
    ...(drawn.length ? [`New: ${someOf(drawn)}.`] : []),
    ...(dropped.length ? [`Gone: ${someOf(dropped)}.`] : []),
  ].join(' ');
}

const someOf = (names: readonly string[]): string =>
  names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : listed([...names]);
