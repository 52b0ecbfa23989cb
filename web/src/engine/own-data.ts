// What a model learns: a task of the lab by its name, or what the learner brings.

/** Pairs, one a line; or a text to go on with. They may be long, and stay in this browser. */
export type OwnData = 'pairs' | 'text';

type Settings = Readonly<Record<string, unknown>>;

/** What the learner brought, if anything. */
export function ownDataIn(config: Settings): { what: OwnData; data: string } | null {
  const what = (['pairs', 'text'] as const).find((each) => config[each] !== undefined);
  return what ? { what, data: String(config[what]) } : null;
}

export const hasOwnData = (config: Settings): boolean => ownDataIn(config) !== null;

export const hasTask = (config: Settings): boolean => config.task !== undefined || hasOwnData(config);

/** The settings that say what is learnt: with another of them other words are known. */
export const LEARNT = ['kind', 'task', 'pairs', 'text', 'tokens'];
