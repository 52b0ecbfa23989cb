// What the page knows of each kind of model, and of the modules into which the engine is split, each with some of the models,
// so that a page fetches only what it needs. A new kind is a row of engine/models/kinds.json, which the build reads too.
import table from '../../../engine/models/kinds.json' with { type: 'json' };
import type { Config } from './types';

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

export const MODULES: readonly EngineModule[] = ['core', 'transformer', 'captioner', 'program', 'seq2seq'];

/** The same models, in a module whose engine has threads. The models of core learn no task and need none. */
export type ThreadedModule = `${Exclude<EngineModule, 'core'>}_threads`;
export const THREADED = MODULES.filter((name) => name !== 'core').map((name): ThreadedModule => `${name}_threads`);
export const threadedOf = (module: EngineModule): ThreadedModule | null =>
  module === 'core' ? null : `${module}_threads`;

/** More bring little: a loop of a lesson's model is worth few ranges. */
const MOST_THREADS = 16;

/** The threads that training may have here: one a core, where the browser lets workers share memory. */
export const cores = (): number =>
  globalThis.crossOriginIsolated && globalThis.SharedArrayBuffer
    ? Math.max(1, Math.min(Math.floor(navigator.hardwareConcurrency) || 1, MOST_THREADS))
    : 1;

/** Without a kind, core, which has the default kind. A model with a part of the learner's is in the module of programs. */
export function moduleOf({ kind, program }: Config): EngineModule {
  if (program !== undefined) return 'program';
  return kind === undefined ? 'core' : kindOf(kind).module;
}

/** First six digits of the hash of the engine's sources: another engine may give other bits. Empty in tests. */
export const ENGINE: string = (import.meta.env?.UNROLL_ENGINE as string | undefined) ?? '';
