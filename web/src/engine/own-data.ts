// What a model learns: a task of the lab by its name, or what the learner brings.

/** Pairs, one a line; or a text to go on with. They may be long, and stay in this browser. */
export type OwnData = 'pairs' | 'text';

type Settings = Readonly<Record<string, unknown>>;

export const hasOwnData = ({ pairs, text }: Settings): boolean => pairs !== undefined || text !== undefined;

export const hasTask = (config: Settings): boolean => config.task !== undefined || hasOwnData(config);

/** The settings that say what is learnt: with another of them other words are known. */
export const LEARNT = ['kind', 'task', 'pairs', 'text', 'tokens'];
