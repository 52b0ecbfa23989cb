// What a text is read into before anybody asks what its cells mean.
export interface Row {
  /** From 1; of a row that spans several lines, the first. */
  line: number;
  cells: string[];
}

/** A line of the text that is not used. */
export interface LeftOut {
  line: number;
  why: string;
}
