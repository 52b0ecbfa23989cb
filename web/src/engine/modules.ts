// The engine is split into modules, each with some of the models, so that a page fetches only what it needs.
import type { Config } from './types';

export type EngineModule = 'core' | 'seq2seq' | 'transformer' | 'captioner' | 'program';

/**
 * The model kinds that are in each module but seq2seq, which has all the others; must match bindings/emscripten.cmake.
 * That of programs also has those of which a part can be one.
 */
const KINDS: Record<Exclude<EngineModule, 'seq2seq'>, readonly string[]> = {
  core: ['attention', 'attention_layer', 'recurrent', 'softmax'],
  transformer: ['transformer', 'transformer_lm'],
  captioner: ['captioner'],
  program: ['program', 'program_lm', 'program_seq2seq'],
};

const LISTED = Object.keys(KINDS) as (keyof typeof KINDS)[];

export const MODULES: readonly EngineModule[] = [...LISTED, 'seq2seq'];

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

/**
 * Without a kind, core, which has the default kind. Any module refuses a kind that there is not. A model of which a part
 * is the learner's program is in the module of programs.
 */
export function moduleOf({ kind, program }: Config): EngineModule {
  if (program !== undefined) return 'program';
  return kind === undefined ? 'core' : (LISTED.find((name) => KINDS[name].includes(String(kind))) ?? 'seq2seq');
}
