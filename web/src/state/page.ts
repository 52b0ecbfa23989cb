// What the page itself says about its model, in <body data-…>: written by the lesson pipeline, not by the learner.
import type { Config } from '../types';
import type { InputChange } from '../types';

export interface Page {
  /** Slug of the lesson; "" on the workbench. */
  lesson: string;
  config: Config;
  seed: number;
  inputs: InputChange[];
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
  };
}
