// What the attributes of <u-lab data-…> declare about its model, written by the lesson pipeline.
import type { Config, InputChange, Stage, TextPair } from '../engine/types';

/** Weights of the page's own trained model: the same bits as training it again would give. */
export interface Trained {
  steps: number;
  /** Address of the checkpoint. */
  weights: string;
}

/** A range of lines of an engine source file, 1-based and inclusive. */
export interface Lines {
  file: string;
  first: number;
  last: number;
}

type Words = (string | number)[];
/** What the lesson calls the rows, columns and slices of tensors: {"α": {"rows": ["je", …], "columns": ["I", …]}}. */
export type Labels = Record<string, { rows?: Words; columns?: Words; slices?: Words; slice?: string }>;

export interface Page {
  /** Name of the lesson, as in its address; "" on the workbench. */
  lesson: string;
  config: Config;
  seed: number;
  inputs: InputChange[];
  /** The pair a model with a task reads; null: the first validation pair. */
  pair: TextPair | null;
  trained: Trained | null;
  /** The stage with which the page opens, and the one pinned beside it. */
  stage: Stage;
  pinned: Stage | null;
  /** Views of the stage *Picture*. */
  views: string[];
  /** Tensors on the board, row by row; null: those of the trace, in its order. */
  board: string[][] | null;
  /** The tensor at which it opens; null: one of the board, where the code computes it. */
  opens: string | null;
  /** The code that the lesson is about; null if there is no lesson. */
  code: Lines | null;
  labels: Labels;
}

const parse = <T>(text: string | undefined, fallback: T): T => (text ? (JSON.parse(text) as T) : fallback);

export function readPage(data: DOMStringMap): Page {
  const inputs = parse<Record<string, number[]>>(data.inputs, {});
  return {
    lesson: data.lesson ?? '',
    config: parse<Config>(data.config, {}),
    seed: Number(data.seed ?? 1),
    inputs: Object.entries(inputs).map(([name, values]) => ({ name, values, at: 0 })),
    pair: parse<TextPair | null>(data.pair, null),
    trained: parse<Trained | null>(data.trained, null),
    stage: (data.stage as Stage | undefined) ?? 'picture',
    pinned: (data.pinned as Stage | undefined) ?? null,
    views: parse<string[]>(data.views, []),
    board: parse<string[][] | null>(data.show, null),
    opens: data.opens ?? null,
    code: parse<Lines | null>(data.code, null),
    labels: parse<Labels>(data.labels, {}),
  };
}
