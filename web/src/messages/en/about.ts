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
