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

const KINDS = NAMES.flatMap((name) => MODULES[name]).sort();

/** Of no kind the core, which has the first of all; null where no module has the kind. */
export const moduleOf = (kind: unknown): EngineModule | null =>
  kind === undefined ? 'core' : (NAMES.find((name) => MODULES[name].includes(String(kind))) ?? null);

/** What the whole engine would say of a kind that no module has. */
export const unknownKind = (kind: unknown): string =>
  `kind is ${JSON.stringify(kind)}: use one of "${KINDS.join('", "')}".`;
