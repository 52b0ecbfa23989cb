// The engine is split into modules, each with some of the models, so that a page fetches only what it needs.

export type EngineModule = 'core' | 'seq2seq' | 'transformer' | 'captioner';

/** The model kinds in each module; must match what bindings/modules/ links. */
export const MODULES: Record<EngineModule, readonly string[]> = {
  core: ['attention', 'attention_layer', 'recurrent', 'softmax'],
  seq2seq: ['language_model', 'seq2seq'],
  transformer: ['transformer', 'transformer_lm'],
  captioner: ['captioner'],
};

const NAMES = Object.keys(MODULES) as EngineModule[];

const KINDS = NAMES.flatMap((name) => MODULES[name]).sort();

/** Without a kind, core, which has the default kind; null if no module has the kind. */
export const moduleOf = (kind: unknown): EngineModule | null =>
  kind === undefined ? 'core' : (NAMES.find((name) => MODULES[name].includes(String(kind))) ?? null);

/** What the whole engine would answer to a kind that no module has. */
export const unknownKind = (kind: unknown): string =>
  `kind is ${JSON.stringify(kind)}: use one of "${KINDS.join('", "')}".`;
