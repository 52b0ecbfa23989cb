// What is written into the pages when they are built: navigation, headings, and the parts of a task.
import { counted, grouped } from '../intl';

export const pageTitle = (title: string): string => `${title} · Unroll`;

// Navigation

/** In a frame where the lab cannot start. */
export const UNSTARTED =
  'The lab cannot start here: add allow-same-origin to the sandbox of this frame, or open the lab in its own tab.';
export const ALL_LESSONS = 'All lessons';
export const OTHER_LESSONS = 'Other lessons';
export const GLOSSARY = 'Glossary';
export const GUIDE = 'Write your own model';
export const SITE = 'Site';
/** Before the title of the first lesson. */
export const BEGIN = 'Begin';
export const UNREADABLE_LESSONS = 'Unreadable lessons';
export const minutes = (count: number): string => `${grouped(count)} min`;
export const exercises = (count: number): string => counted(count, { one: 'exercise', other: 'exercises' });
export const previous = (title: string): string => `Previous: ${title}`;
export const next = (title: string): string => `Next: ${title}`;
/** `link` is the title of the lesson as a link. */
export const moved = (link: string): string => `This lesson has moved: ${link}`;

// A lesson

/** `file` has markup. */
export const codeOfLesson = (file: string): string => `The code of this lesson: ${file}`;
export const SOURCE = 'Source';
export const IN_GLOSSARY = 'In the glossary';

export const TRY = 'Try';
export const COMPARE = 'Compare';
export const TRAIN = 'Train';
export const WRITE = 'Write';
export const PREDICT = 'Predict';
export const QUESTION = 'Question';
export const EXERCISE = 'Exercise';
/** An exercise in which attention must do something. */
export const PUZZLE = 'Puzzle';
/** "Exercise: Two maxima". */
export const titled = (word: string, title: string): string => `${word}: ${title}`;
export const YOUR_ANSWER = 'Your answer';
/** Folds up the text that gives the answer to a prediction; a press opens it. */
export const ANSWER_FIRST = 'Answer first, or read on here';

// The glossary

export const GLOSSARY_SUMMARY =
  'Every word that the lessons explain, in alphabetical order, with the lesson where it is first used.';
export const also = (forms: readonly string[]): string => `also ${forms.join(', ')}`;

// The guide to writing models

export const GUIDE_SUMMARY =
  'From an empty page to attention that you wrote and trained yourself, in half an hour and a few lines of Python.';
export const PROGRAM = 'Program';
export const OPEN_PROGRAM = 'Open it on the workbench';
