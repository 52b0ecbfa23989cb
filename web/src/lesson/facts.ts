// What expressions can name in a run: its tensors, and of a model with a task metrics, generated text and its cost. Each is
// computed when it is named.
import { findNode } from '../lab/cursor';
import { TEST_PAIRS } from '../lab/training';
import { unwrap } from '../engine/refused';
import type { RemoteSession } from '../engine/remote';
import type { Result } from '../engine/replay';
import type { Config, EvaluationInfo, Reply, GenerationInfo, GenerationCost, Trace, TraceNode } from '../engine/types';

/** Row-major; a scalar has the shape []. */
export interface Tensor {
  shape: readonly number[];
  values: ArrayLike<number>;
}

/** Tensors and facts by name; texts have names of their own, see isTextName. */
export interface Lookup {
  (name: string): Tensor | undefined;
  text?(name: string): string | undefined;
}

/** Task metrics: on pairs of the test split; with an argument, like exact_match(20), on sources of 20 tokens. */
const MEASURED: Readonly<Record<string, (evaluation: EvaluationInfo) => number>> = {
  exact_match: (evaluation) => evaluation.exactMatch,
  bleu: (evaluation) => evaluation.bleu,
  alignment_error_rate: (evaluation) => evaluation.alignmentErrorRate,
  attention_mass: (evaluation) => evaluation.attentionMass,
  token_error_rate: (evaluation) => evaluation.tokenErrorRate,
  misplaced_tokens: (evaluation) => evaluation.misplacedTokens,
  perplexity: (evaluation) => evaluation.perplexity,
  /** Per token. */
  loss: (evaluation) => Math.log(evaluation.perplexity),
};
const MEASURES = Object.keys(MEASURED);

/** Accuracy on the pronouns in the test split whose gender another word decides. */
const PRONOUNS = 'pronoun_accuracy';

/** Cost of generating the token after so many positions: with a KV cache, and recomputed (_anew). */
const COST: Readonly<Record<string, (cost: GenerationCost) => number>> = {
  cache_bytes: (cost) => cost.cacheBytes,
  multiply_adds: (cost) => cost.multiplyAdds,
  multiply_adds_anew: (cost) => cost.multiplyAddsUncached,
};
const COSTS = Object.keys(COST);

/**
 * What the model generates for the source: the text, and the log-probability of the whole. `written` is by greedy
 * decoding, written(4) by beam search of width 4.
 */
const GENERATED = ['written', 'log_probability'] as const;

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

type FactSession = Pick<RemoteSession, 'values' | 'generate' | 'generationCost' | 'evaluate' | 'evaluateMore'>;

/** Pairs drawn for an evaluation at one source length. */
const PAIRS_OF_LENGTH = 50;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, x) => all + x, 0);

export class Facts {
  /** By source length; 0 is any. */
  private readonly evaluated = new Map<number, EvaluationInfo>();
  /** By beam width; 0 is greedy decoding. */
  private readonly generatedByWidth = new Map<number, GenerationInfo>();

  constructor(
    private readonly session: FactSession,
    private readonly run: Result,
  ) {}

  /** Resolves the names; those unknown in this run are left out. A tensor takes precedence over a fact. */
  async lookup(names: readonly string[]): Promise<Lookup> {
    const tensors = await tensorsOf(this.run.trace, names, ({ id }) => unwrap(this.session.values(id)));
    const facts = new Map<string, Tensor>();
    const texts = new Map<string, string>();
    if (this.run.task)
      for (const name of names)
        if (isTextName(name)) texts.set(name, await this.text(name));
        else if (!tensors(name)) {
          const fact = await this.fact(name);
          if (fact !== null) facts.set(name, { shape: [], values: [fact] });
        }
    return Object.assign((name: string) => tensors(name) ?? facts.get(name), {
      text: (name: string) => texts.get(name),
    });
  }

  private async fact(name: string): Promise<number | null> {
    const [word, number] = partsOfName(name);
    if (word === 'log_probability') return sum((await this.generated(number)).logProbabilities);
    if (Object.hasOwn(COST, word))
      return number ? COST[word]!(await unwrap(this.session.generationCost(number))) : null;
    if (word === PRONOUNS) return (await this.completed(this.session.evaluate('pronouns', 0, 0))).pronounAccuracy;
    if (!Object.hasOwn(MEASURED, word)) return null;
    const limit = number ? PAIRS_OF_LENGTH : TEST_PAIRS;
    if (!this.evaluated.has(number))
      this.evaluated.set(number, await this.completed(this.session.evaluate('test', limit, number)));
    return MEASURED[word]!(this.evaluated.get(number)!);
  }

  private async completed(begun: Promise<Reply<EvaluationInfo>>): Promise<EvaluationInfo> {
    let found = await unwrap(begun);
    while (found.done < found.pairs) found = await unwrap(this.session.evaluateMore());
    return found;
  }

  /** The target of the pair, or what the model generates for its source. */
  private async text(name: string): Promise<string> {
    const { separator } = this.run.task!;
    const tokens = name === 'target' ? this.run.pair!.target : (await this.generated(partsOfName(name)[1])).tokens;
    return tokens.join(separator);
  }

  private async generated(width: number): Promise<GenerationInfo> {
    if (!this.generatedByWidth.has(width)) {
      const options: Config = width ? { method: 'beam', width } : { method: 'greedy' };
      const source = this.run.pair!.source.join(this.run.task!.separator);
      this.generatedByWidth.set(width, await unwrap(this.session.generate(source, options)));
    }
    return this.generatedByWidth.get(width)!;
  }
}

/** A lookup of these tensors; names missing from the trace are left out. */
export async function tensorsOf(
  trace: Trace,
  names: readonly string[],
  values: (node: TraceNode) => Promise<Float32Array>,
): Promise<Lookup> {
  const tensors = new Map<string, Tensor>();
  for (const name of names) {
    const node = findNode(trace, name);
    if (node) tensors.set(name, { shape: node.shape, values: await values(node) });
  }
  return (name) => tensors.get(name);
}
