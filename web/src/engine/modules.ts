// The engine is split into modules, each with some of the models, so that a page fetches only what it needs.

export type EngineModule = 'core' | 'seq2seq' | 'transformer' | 'captioner';

/** The model kinds of each module but seq2seq, which has all the others; must match bindings/emscripten.cmake. */
const KINDS: Record<Exclude<EngineModule, 'seq2seq'>, readonly string[]> = {
  core: ['attention', 'attention_layer', 'recurrent', 'softmax'],
  transformer: ['transformer', 'transformer_lm'],
  captioner: ['captioner'],
};

const LISTED = Object.keys(KINDS) as (keyof typeof KINDS)[];

export const MODULES: readonly EngineModule[] = [...LISTED, 'seq2seq'];

/** Without a kind, core, which has the default kind. Any module refuses a kind that there is not. */
export const moduleOf = (kind: unknown): EngineModule =>
  kind === undefined ? 'core' : (LISTED.find((name) => KINDS[name].includes(String(kind))) ?? 'seq2seq');
