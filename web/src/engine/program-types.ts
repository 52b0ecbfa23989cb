// What the engine answers about programs: see bindings/programs.h.

/** A function of the learner's language, or a method of tensors. */
export interface Operation {
  name: string;
  /** As in Python, "x, dim=-1"; of a method the first is its object. */
  parameters: string;
  /** One line. */
  help: string;
  isMethod: boolean;
}

/** What the lines of a program compute: all, or those up to a problem, whose message is then not empty. */
export interface Outline {
  lines: { line: number; shape: number[] }[];
  code: string;
  message: string;
  /** As in a refusal. */
  pattern: string;
  arguments: string[];
}
