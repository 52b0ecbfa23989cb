// What a model learns: one of the engine's tasks, by name, or data that the learner brings.

/** Pairs, one per line; or a text that the model learns to continue. May be long; stays in this browser. */
export type OwnData = 'pairs' | 'text';

type Settings = Readonly<Record<string, unknown>>;

/** The data that the learner brought, or null. */
export function ownDataIn(config: Settings): { what: OwnData; data: string } | null {
  const what = (['pairs', 'text'] as const).find((each) => config[each] !== undefined);
  return what ? { what, data: String(config[what]) } : null;
}

export const hasOwnData = (config: Settings): boolean => ownDataIn(config) !== null;

export const hasTask = (config: Settings): boolean => config.task !== undefined || hasOwnData(config);

/** The settings that say what is learnt: if one changes, so may the vocabulary and the inputs. */
export const TASK_SETTINGS = ['kind', 'task', 'pairs', 'text', 'tokens'];
