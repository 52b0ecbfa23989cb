// The engine comes in two modules: the whole of it, and a smaller core for pages whose model has no task.
import type { Config } from '../types';

export type EngineModule = 'core' | 'whole';

/** What the core has, as bindings/core/models.cpp lists it. */
export const CORE_KINDS = ['attention', 'recurrent', 'softmax'];

/** The module of a page: on the workbench (no lesson) any model may be chosen, elsewhere the kind stays as it is. */
export const moduleOf = ({ lesson, config }: { lesson: string; config: Config }): EngineModule =>
  lesson && CORE_KINDS.includes(String(config.kind)) ? 'core' : 'whole';
