// What the page itself says about its model, in <body data-…>: written by the lesson pipeline, not by the learner.
import type { Config, InputChange, TextPair } from '../types';

/** The page's own model is trained: the file saves doing it again, and holds the same bits. */
export interface Trained {
  steps: number;
  /** Address of the checkpoint. */
  weights: string;
}

/** Lines of a file of the engine, counted from 1. */
export interface Lines {
  file: string;
  first: number;
  last: number;
}

export interface Page {
  /** Slug of the lesson; "" on the workbench. */
  lesson: string;
  config: Config;
  seed: number;
  inputs: InputChange[];
  /** What the model reads, where it has a task. */
  pair: TextPair | null;
  trained: Trained | null;
  /** What the bench shows above the board. */
  views: string[];
  /** Tensors on the board, row by row; null: as the trace has them. */
  board: string[][] | null;
  /** The code that the lesson is about; null where there is no lesson. */
  code: Lines | null;
}

const parse = <T>(text: string | undefined, otherwise: T): T => (text ? (JSON.parse(text) as T) : otherwise);

/** Null if the page has no model (the front page without its bench). */
export function readPage(data: DOMStringMap): Page | null {
  if (!data.config) return null;
  const inputs = parse<Record<string, number[]>>(data.inputs, {});
  return {
    lesson: data.lesson ?? '',
    config: parse<Config>(data.config, {}),
    seed: Number(data.seed ?? 1),
    inputs: Object.entries(inputs).map(([name, values]) => ({ name, values, at: 0 })),
    pair: parse<TextPair | null>(data.pair, null),
    trained: parse<Trained | null>(data.trained, null),
    views: parse<string[]>(data.views, []),
    board: parse<string[][] | null>(data.show, null),
    code: parse<Lines | null>(data.code, null),
  };
}
