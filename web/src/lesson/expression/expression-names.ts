// Names in expressions that stand not for tensors but for metrics, output and generation cost of a model with a task.

/** Task metrics: on pairs of the test split; with an argument, like exact_match(20), on sources of 20 tokens. */
export const MEASURES = [
  'exact_match',
  'bleu',
  'alignment_error_rate',
  'attention_mass',
  'perplexity',
  'loss',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Accuracy on the pronouns in the test split whose gender another word decides. */
export const PRONOUNS = 'pronoun_accuracy';

/** Cost of generating the token after so many positions: with a KV cache, and recomputed (_anew). */
export const COSTS = ['cache_bytes', 'multiply_adds', 'multiply_adds_anew'] as const;
export type Cost = (typeof COSTS)[number];

/**
 * What the model generates for the source: the text, and the log-probability of the whole. `written` is by greedy
 * decoding, written(4) by beam search of width 4.
 */
export const GENERATED = ['written', 'log_probability'] as const;

/** Names that stand for a text; in a comparison with one of them, a quoted operand is a text and not a tensor. */
export const TEXTS = ['written', 'target'] as const;

/** Every name that needs a model with a task. */
export const OF_TASK: readonly string[] = [...MEASURES, PRONOUNS, ...COSTS, ...TEXTS, ...GENERATED];

/** The argument that these names take: what it is, its maximum, and an example. */
export const TAKES: Record<string, [what: 'length' | 'positions' | 'width', most: number, example: number]> = {
  ...Object.fromEntries(MEASURES.map((name) => [name, ['length', 63, 20]])),
  ...Object.fromEntries(COSTS.map((name) => [name, ['positions', 4096, 20]])),
  ...Object.fromEntries(GENERATED.map((name) => [name, ['width', 64, 4]])),
};

/** "written(4)" → ["written", 4]; 0 without an argument. */
export function partsOfName(name: string): [word: string, number: number] {
  const [, word = name, number = '0'] = /^(\w+)\((\d+)\)$/.exec(name) ?? [];
  return [word, Number(number)];
}

export const isTextName = (name: string): boolean => (TEXTS as readonly string[]).includes(partsOfName(name)[0]);
