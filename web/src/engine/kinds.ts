// What the page knows of each kind of model, and of the modules into which the engine is split, each with some of the models,
// so that a page fetches only what it needs. A new kind is a row of engine/models/kinds.json, which the build reads too.
import table from '../../../engine/models/kinds.json' with { type: 'json' };
import type { Config } from './types';

export type EngineModule = 'softmax' | 'core' | 'seq2seq' | 'transformer' | 'captioner' | 'program' | 'parts';

export interface Kind {
  /** The module that has it. */
  module: EngineModule;
  /** The parts of it that a function of the learner's can replace. */
  parts?: string[];
  /** Figures that the bench shows until the reader chooses, in order. */
  views?: string[];
  /** The kind whose figures it has, in place of `views`: they show it alike. */
  like?: string;
  /** The engine's name of its training settings, or one for each attention; without it those of its task alone. */
  recipe?: string | Record<string, string>;
  /** Its own data is a text, not pairs. */
  texts?: true;
  /** It has a KV cache, whose savings are shown. */
  caches?: true;
  /** The built-in model that a model of the learner's is compared with. */
  rival?: string;
  /** Its place on the workbench; workbench/models.ts has that of a kind whose settings depend on each other. */
  workbench?: WorkbenchOffer;
}

/** What the workbench begins with: settings, each at the engine's default; a task; a program below lessons/programs. */
export interface WorkbenchOffer {
  settings?: Config;
  task?: string;
  program?: string;
}

export const KINDS = table as Readonly<Record<string, Kind>>;

/** Any module refuses a kind that there is not. */
export const kindOf = (kind: unknown): Kind => KINDS[String(kind)] ?? { module: 'seq2seq' };

export const MODULES: readonly EngineModule[] = [
  'softmax',
  'core',
  'transformer',
  'captioner',
  'program',
  'parts',
  'seq2seq',
];

/** Their models learn no task and need no threads. */
type Unthreaded = 'softmax' | 'core';
/** The same models, in a module whose engine has threads. */
export type ThreadedModule = `${Exclude<EngineModule, Unthreaded>}_threads`;
export const threadedOf = (module: EngineModule): ThreadedModule | null =>
  module === 'softmax' || module === 'core' ? null : `${module}_threads`;
export const THREADED = MODULES.map(threadedOf).filter((name) => name !== null);

/** More bring little: a loop of a lesson's model is worth few ranges. */
const MOST_THREADS = 16;

/** The threads that training may have here: one a core, where the browser lets workers share memory. */
export const cores = (): number =>
  globalThis.crossOriginIsolated && globalThis.SharedArrayBuffer
    ? Math.max(1, Math.min(Math.floor(navigator.hardwareConcurrency) || 1, MOST_THREADS))
    : 1;

/** Modules that run programs of the learner's. */
export const runsPrograms = (module: EngineModule | ThreadedModule): boolean => /^(program|parts)/.test(module);

/** Without a kind, core, which has the default kind. Models with a part of the learner's are in a module of their own. */
export function moduleOf({ kind, program }: Config): EngineModule {
  const { module } = kind === undefined ? { module: 'core' as const } : kindOf(kind);
  return program === undefined || module === 'program' ? module : 'parts';
}

/** First six digits of the hash of the engine's sources: another engine may give other bits. Empty in tests. */
export const ENGINE: string = (import.meta.env?.UNROLL_ENGINE as string | undefined) ?? '';
