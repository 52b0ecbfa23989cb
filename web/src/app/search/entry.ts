// What can be found. The build writes the entries as rows of a table, without the names of their fields.
export type Kind = 'lesson' | 'section' | 'exercise' | 'word' | 'operation' | 'model' | 'page';

export interface Entry {
  kind: Kind;
  title: string;
  /** Other names: synonyms, plurals. */
  also: readonly string[];
  /** Shown below the title: the lesson of a section, the meaning of a word. */
  about: string;
  /** Searched and not shown: words of the text, with spaces between them. */
  words: string;
  /** Relative to the root of the site. */
  address: string;
}

export type Row = [Kind, title: string, also: string, about: string, words: string, address: string];

/** Between the names in `also`. */
const BAR = '|';

export const toRow = ({ kind, title, also, about, words, address }: Entry): Row => [
  kind,
  title,
  also.join(BAR),
  about,
  words,
  address,
];

export const fromRow = ([kind, title, also, about, words, address]: Row): Entry => ({
  kind,
  title,
  also: also ? also.split(BAR) : [],
  about,
  words,
  address,
});
