// What the page knows of each kind of model. A new kind is a row here, beside its texts in messages.

export type EngineModule = 'core' | 'seq2seq' | 'transformer' | 'captioner' | 'program';

interface Kind {
  /** The module that has it; must match bindings/emscripten.cmake. */
  module: EngineModule;
  /** The kind whose views it is offered: they show it alike. */
  like?: string;
  /** The engine's name of its training settings; without one, that of its attention. */
  recipe?: string;
  /** Its own data is a text, not pairs. */
  texts?: true;
  /** It has a KV cache, whose savings are shown. */
  caches?: true;
  /** The built-in model that a model of the learner's is compared with. */
  rival?: string;
}

/** All kinds but those of the module seq2seq that need no row. */
const KINDS: Readonly<Record<string, Kind>> = {
  attention: { module: 'core' },
  attention_layer: { module: 'core' },
  recurrent: { module: 'core' },
  softmax: { module: 'core' },
  language_model: { module: 'seq2seq', like: 'seq2seq' },
  transformer: { module: 'transformer', recipe: 'transformer' },
  transformer_lm: { module: 'transformer', like: 'transformer', recipe: 'lm', texts: true, caches: true },
  captioner: { module: 'captioner', recipe: 'captioner' },
  program: { module: 'program' },
  program_lm: { module: 'program', recipe: 'program', texts: true, rival: 'transformer_lm' },
  program_seq2seq: { module: 'program', recipe: 'program', rival: 'seq2seq' },
};

/** Any module refuses a kind that there is not. */
export const kindOf = (kind: unknown): Kind => KINDS[String(kind)] ?? { module: 'seq2seq' };
