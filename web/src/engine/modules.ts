// The engine comes in modules, each with some of the models, so that no page fetches more than it needs.

export type EngineModule = 'core' | 'seq2seq' | 'transformer' | 'captioner';

/** Which models are in which, as bindings/modules/ links them. */
export const MODULES: Record<EngineModule, readonly string[]> = {
  core: ['attention', 'attention_layer', 'recurrent', 'softmax'],
  seq2seq: ['language_model', 'seq2seq'],
  transformer: ['transformer', 'transformer_lm'],
  captioner: ['captioner'],
};

const NAMES = Object.keys(MODULES) as EngineModule[];

/** Of a kind that is in none the core, which refuses it. */
export const moduleOf = (kind: unknown): EngineModule =>
  NAMES.find((name) => MODULES[name].includes(String(kind))) ?? 'core';
