// What is written into the pages when they are built: navigation, headings, the parts of a task, and the page "About".
import { counted } from '../intl';

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
/** The same after a curve that is drawn and then measured. */
export const MEASURE_FIRST = 'Draw and measure first, or read on here';

// Where the core of a lesson ends

export const GOING_FURTHER = 'Going\u00a0further';
export const coreEnds = (minutes: number): string =>
  `The core of this lesson ends here, after about ${minutes} minutes.`;

// The ending of a lesson

export const TAKE_AWAY = 'What to take away';
export const REACHES_BACK = 'A question that reaches back';
export const SHOW_ANSWER = 'Answer it first, then look here';
export const THE_LESSON = 'The lesson it comes from';
export const TO_READ = 'To read';

// The glossary

export const GLOSSARY_SUMMARY =
  'Every word that the lessons explain, in alphabetical order, with the lesson where it is first used.';
export const also = (forms: readonly string[]): string => `also ${forms.join(', ')}`;

// The guide to writing models

export const GUIDE_SUMMARY =
  'From an empty page to attention that you wrote and trained yourself, in half an hour and a few lines of Python.';
export const PROGRAM = 'Program';
export const OPEN_PROGRAM = 'Open it on the workbench';
/** Of a program whose new lines are left to the reader. */
export const OPEN_BEFORE = 'Open the program before it, and write these lines';
export const SHOW_LINES = 'Show the lines';
export const LINE_TO_WRITE = 'a line to write';

// The page that says who makes Unroll, where its source is, under which licence, and how to cite it.

export const ABOUT = 'About';
export const ABOUT_TITLE = 'About Unroll';
export const ABOUT_SUMMARY =
  'Who makes Unroll, what it does with your work, its source, its licence, and how to cite it.';

export const WHO = 'Who makes it';
export const WHO_MAKES_IT =
  'The Unroll maintainers write it for everyone who wants to see how models read and write. It is free, and it has no server, no account and no advertising.';

export const YOUR_WORK = 'Your work stays with you';
export const WHERE_WORK_STAYS =
  'What you type, paste, train and solve is computed and stored in your browser, and is sent nowhere. <i>Forget my work</i> on the workbench deletes it. If you copy a link, the link itself holds your state.';

export const SOURCE_AND_LICENCE = 'Source and licence';
export const thisVersion = (version: string): string => `This is version ${version}.`;
/** `link` is the address of the source, as a link. */
export const sourceAt = (link: string): string => `Its source is at ${link}.`;
export const LICENCE =
  'Unroll is under the MIT licence: use it, change it and pass it on, in a class, in a course or on a site of your own, as long as the licence stays with it.';
/** `file` is the name of the file, as a link. */
export const allLicences = (file: string): string =>
  `The file ${file} has that licence, and the licences of the parts that others have made: the editor, the fonts, the library for linear algebra and more.`;

export const CITE = 'How to cite it';
export const HOW_TO_CITE = 'In a paper or in teaching material, please name the version, because the lessons change:';
export const BIBTEX = 'BibTeX entry';

// The table of names in the glossary

export const NAMES = 'The same things by other names';
export const ABOUT_NAMES =
  'What three papers and the engine call what the lessons speak of. A dash: the paper has no name for it.';
export const IN_LESSONS = 'In the lessons';
/** By the name of the column in lessons/glossary.yaml. */
export const PAPERS = { bahdanau: 'Bahdanau 2015', luong: 'Luong 2015', vaswani: 'Vaswani 2017' };
export const IN_ENGINE = 'In the engine';
export const NO_NAME = '–';
