// The page of questions before and after a part.
import { counted } from '../intl';

export const QUESTIONS = 'Before and after';
export const SUMMARY =
  'Five questions for each of the first two parts: answer them before you read the part, and answer five like them afterwards.';
export const ABOUT =
  'You see whether you were right after the second time. Only this browser keeps your answers. They leave it only as a file that you save yourself. Five questions are too few to give you a grade, so none is given: compare your answers one by one.';
export const FORMS: readonly string[] = ['First form', 'Second form'];

export const BEFORE = 'Before you read this part';
export const AFTER = 'After you have read this part';
/** How many are still open, under a form. */
export const open = (count: number): string =>
  `${counted(count, { one: 'question is', other: 'questions are' })} still without an answer.`;
export const NOW_READ =
  'Your answers are kept in this browser. Now read the part, then come back for five questions about the same ideas.';
export const ASK_AGAIN = 'I have read it: ask me again';
export const SHOW = 'Compare my answers';
export const SAVE = 'Save my answers as a file';
export const fileName = (day: string): string => `unroll-answers-${day}.json`;

/** The headings of what was answered before and after. */
export const BEFORE_WORD = 'Before';
export const AFTER_WORD = 'After';
export const RIGHT = 'right';
export const wrong = (right: string): string => `not right; right is: ${right}`;
export const more = (lesson: string): string => `More in ${lesson}`;
export const NOT_KEPT =
  'This browser does not keep your answers: save them as a file before you leave the page, or allow site data in its settings.';
