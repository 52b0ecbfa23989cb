// What is true of a run beside its tensors: how good a model is at its task, and what it writes. Computed only where it is named.
import { isTextName, partsOfName, PRONOUNS, type Cost, type Measure } from './expression-names';
import type { Lookup, Tensor } from './expression';
import { tensorsOf } from './find-node';
import { TEST_PAIRS } from '../state/training';
import { need } from './refused';
import type { RemoteSession } from '../engine/remote';
import type { Result } from '../engine/replay';
import type { Config, EvaluationInfo, Reply, WriteInfo, WritingCost } from '../types';

type Asked = Pick<RemoteSession, 'values' | 'write' | 'costBehind' | 'evaluate' | 'evaluateMore'>;

/** Pairs drawn anew, where they shall be of one length. */
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

const COST: Record<Cost, (cost: WritingCost) => number> = {
  cache_bytes: (cost) => cost.cacheBytes,
  multiply_adds: (cost) => cost.multiplyAdds,
  multiply_adds_anew: (cost) => cost.multiplyAddsAnew,
};

const sum = (numbers: readonly number[]): number => numbers.reduce((all, x) => all + x, 0);

export class Facts {
  /** By the length of the source; 0 is any. */
  private readonly evaluated = new Map<number, EvaluationInfo>();
  /** By the width of the beam; 0 is the likeliest token at every position. */
  private readonly writings = new Map<number, WriteInfo>();

  constructor(
    private readonly session: Asked,
    private readonly run: Result,
  ) {}

  /** Holds what these names stand for; one that stands for nothing in this run is left out. A tensor goes before a fact. */
  async lookup(names: readonly string[]): Promise<Lookup> {
    const tensors = await tensorsOf(this.run.trace, names, (id) => need(this.session.values(id)));
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
    if (word === 'log_probability') return sum((await this.writing(number)).logProbabilities);
    if (Object.hasOwn(COST, word))
      return number ? COST[word as Cost](await need(this.session.costBehind(number))) : null;
    if (word === PRONOUNS) return (await this.completed(this.session.evaluate('pronouns', 0, 0))).pronounAccuracy;
    if (!Object.hasOwn(MEASURED, word)) return null;
    const limit = number ? PAIRS_OF_LENGTH : TEST_PAIRS;
    if (!this.evaluated.has(number))
      this.evaluated.set(number, await this.completed(this.session.evaluate('test', limit, number)));
    return MEASURED[word as Measure](this.evaluated.get(number)!);
  }

  private async completed(begun: Promise<Reply<EvaluationInfo>>): Promise<EvaluationInfo> {
    let found = await need(begun);
    while (found.done < found.pairs) found = await need(this.session.evaluateMore());
    return found;
  }

  /** What stands beside the source in the pair, or what the model writes for it. */
  private async text(name: string): Promise<string> {
    const { separator } = this.run.task!;
    const tokens = name === 'target' ? this.run.pair!.target : (await this.writing(partsOfName(name)[1])).tokens;
    return tokens.join(separator);
  }

  private async writing(width: number): Promise<WriteInfo> {
    if (!this.writings.has(width)) {
      const manner: Config = width ? { method: 'beam', width } : { method: 'greedy' };
      const source = this.run.pair!.source.join(this.run.task!.separator);
      this.writings.set(width, await need(this.session.write(source, manner)));
    }
    return this.writings.get(width)!;
  }
}
