// What the page knows of each kind of model. A new kind is a row of engine/models/kinds.json, which the build reads too.
import table from '../../../engine/models/kinds.json' with { type: 'json' };

export type EngineModule = 'core' | 'seq2seq' | 'transformer' | 'captioner' | 'program';

interface Kind {
  /** The module that has it. */
  module: EngineModule;
  /** The parts of it that a function of the learner's can replace. */
  parts?: string[];
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

const KINDS = table as Readonly<Record<string, Kind>>;

/** Any module refuses a kind that there is not. */
export const kindOf = (kind: unknown): Kind => KINDS[String(kind)] ?? { module: 'seq2seq' };
