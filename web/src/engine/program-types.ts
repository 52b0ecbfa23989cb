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

/** The weights of a checkpoint, for a model with another program. */
export interface CarriedOver {
  /** Of the new model. */
  checkpoint: Uint8Array;
  /** Its parameters that have the same name and shape there. */
  kept: string[];
  /** The others. */
  drawn: string[];
  /** Those of the old model that are in none of it. */
  dropped: string[];
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
