// Facts about a run beyond its tensors: task metrics, generated text and its cost. Each is computed when it is named.
import { isTextName, partsOfName, PRONOUNS, type Cost, type Measure } from './expression/expression-names';
import type { Lookup, Tensor } from './expression/expression';
import { tensorsOf } from './find-node';
import { TEST_PAIRS } from '../lab/training';
import { unwrap } from './refused';
import type { RemoteSession } from '../engine/remote';
import type { Result } from '../engine/replay';
import type { Config, EvaluationInfo, Reply, GenerationInfo, GenerationCost } from '../engine/types';

type FactSession = Pick<RemoteSession, 'values' | 'generate' | 'generationCost' | 'evaluate' | 'evaluateMore'>;

/** Pairs drawn for an evaluation at one source length. */
const PAIRS_OF_LENGTH = 50;

const MEASURED: Record<Measure, (found: EvaluationInfo) => number> = {
  exact_match: (found) => found.exactMatch,
  bleu: (found) => found.bleu,
  alignment_error_rate: (found) => found.alignmentErrorRate,
  attention_mass: (found) => found.attentionMass,
  perplexity: (found) => found.perplexity,
  /** Per token. */
  loss: (found) => Math.log(found.perplexity),
};

const COST: Record<Cost, (cost: GenerationCost) => number> = {
  cache_bytes: (cost) => cost.cacheBytes,
  multiply_adds: (cost) => cost.multiplyAdds,
  multiply_adds_anew: (cost) => cost.multiplyAddsUncached,
};

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
      return number ? COST[word as Cost](await unwrap(this.session.generationCost(number))) : null;
    if (word === PRONOUNS) return (await this.completed(this.session.evaluate('pronouns', 0, 0))).pronounAccuracy;
    if (!Object.hasOwn(MEASURED, word)) return null;
    const limit = number ? PAIRS_OF_LENGTH : TEST_PAIRS;
    if (!this.evaluated.has(number))
      this.evaluated.set(number, await this.completed(this.session.evaluate('test', limit, number)));
    return MEASURED[word as Measure](this.evaluated.get(number)!);
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
