// What the page of questions fetches once both forms are answered.

export interface Answer {
  /** Where to read on: its name, and its title. */
  lesson: string;
  title: string;
  forms: readonly { ask: string; right: number; options: readonly string[]; why: string }[];
}

/** By the id of the question. */
export type Answers = Readonly<Record<string, Answer>>;
