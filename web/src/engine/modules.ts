// The engine is split into modules, each with some of the models, so that a page fetches only what it needs.
import { kindOf, type EngineModule } from './kinds';
import type { Config } from './types';

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
