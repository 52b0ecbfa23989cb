// What a task asks of the learner, and says before its answer is checked.
import { html, type TemplateResult } from 'lit';
import { anyOf, listed } from '../../intl';

export const CHECK = 'Check';
export const WRITE = 'Write it';
export const START_AGAIN = 'Start again';
export const HINT = 'Hint';
export const NEXT_HINT = 'Another hint';
export const SHOW_SOLUTION = 'Show a solution';
/** For a question with one right answer. */
export const SHOW_ANSWER = 'Show the answer';
export const YOUR_EXPRESSION = 'Your expression';
export const WORKING = 'The engine is working on it…';

// Each before a sentence that says more.
export const RIGHT = 'Right.';
export const NOT_YET = 'Not yet.';
export const NOT_CHECKED = 'Not checked.';
export const THE_ANSWER = 'The answer.';

/** After a right prediction. */
export const ON_BENCH = 'The bench shows it.';

export const YOUR_TRIES = 'Your tries:';
export const rightTry = (answer: string): string => `${answer} (right)`;
/** `place` is the task's, "1 of 3". */
export const solved = (place: string): string => `solved · ${place}`;

export const NONE_SELECTED = 'No answer selected yet: choose one, then check.';
export const NO_NUMBER = 'The field is empty: type a number, like 0.25 or 10 / sqrt(3), then check.';
export const noExpression = (using: readonly string[]): string =>
  `The field is empty: type an expression using ${listed(using)}, then check.`;
export const noTensorToEdit = (name: string): string => `There is no tensor "${name}" to edit in this run.`;

export const moveUp = (step: string): string => `Move up: ${step}`;
export const moveDown = (step: string): string => `Move down: ${step}`;

/** What can be changed and is neither a setting nor a tensor. */
const CHANGED: Readonly<Record<string, string>> = { pair: 'what the model reads', steps: 'its training' };

/** Where the settings and tensors of a task are changed; `code` shows the name of one. */
export function whereToChange(
  inText: readonly string[],
  onBench: readonly string[],
  code: (name: string) => TemplateResult,
): TemplateResult {
  const any = (names: readonly string[]): (TemplateResult | string)[] =>
    anyOf(names, (name) => CHANGED[name] ?? code(name));
  if (!onBench.length) return html`Change ${any(inText)} in the text above, then check.`;
  if (!inText.length) return html`Change ${any(onBench)} on the workbench, then check.`;
  return html`Change ${any(inText)} in the text above, or ${any(onBench)} on the workbench, then check.`;
}
