// Names in expressions that stand for no tensor, but for how good a model with a task is, what it writes and what that takes.

/** How good a model is at its task: by itself on pairs of the test split, exact_match(20) on sources of 20 tokens. */
export const MEASURES = [
  'exact_match',
  'bleu',
  'alignment_error_rate',
  'attention_mass',
  'perplexity',
  'loss',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Of the pronouns in the test split whose gender another word decides, the share that comes out right. */
export const PRONOUNS = 'pronoun_accuracy';

/** What the token behind so many positions takes, with a KV cache and anew. */
export const COSTS = ['cache_bytes', 'multiply_adds', 'multiply_adds_anew'] as const;
export type Cost = (typeof COSTS)[number];

/**
 * What the model writes for the source: by itself the likeliest token at every position, written(4) what a beam of width
 * 4 finds; the text, and the log-probability of the whole.
 */
export const WRITINGS = ['written', 'log_probability'] as const;

/** Names that stand for a text; what is in quotes beside one of them in a comparison is a text too, and no tensor. */
export const TEXTS = ['written', 'target'] as const;

/** Every name of what only a model with a task has. */
export const OF_TASK: readonly string[] = [...MEASURES, PRONOUNS, ...COSTS, ...TEXTS, ...WRITINGS];

/** What stands in the brackets after these, and the greatest. */
export const TAKES: Record<string, [what: string, most: number, example: number]> = {
  ...Object.fromEntries(MEASURES.map((name) => [name, ['the length of the source', 63, 20]])),
  ...Object.fromEntries(COSTS.map((name) => [name, ['a number of positions', 4096, 20]])),
  ...Object.fromEntries(WRITINGS.map((name) => [name, ['the width of a beam', 64, 4]])),
};

/** "written(4)" → ["written", 4]; 0 where nothing is in brackets. */
export function partsOfName(name: string): [word: string, number: number] {
  const [, word = name, number = '0'] = /^(\w+)\((\d+)\)$/.exec(name) ?? [];
  return [word, Number(number)];
}

export const isTextName = (name: string): boolean => (TEXTS as readonly string[]).includes(partsOfName(name)[0]);
