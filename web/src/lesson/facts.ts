// What is true of a run beside its tensors: how good a model is at its task, and what it writes. Computed only where it is named.
import { TEXTS, type Lookup, type Measure, type Tensor } from './expression';
import { tensorsOf } from './find-node';
import { need } from './refused';
import type { RemoteSession } from '../engine/remote';
import type { Result } from '../engine/replay';
import type { EvaluationInfo } from '../types';

type Asked = Pick<RemoteSession, 'values' | 'write' | 'evaluate' | 'evaluateMore'>;

/** Pairs that are looked at: of the test split, evenly spread over it; or drawn anew, of one length. */
const PAIRS = 200;
const PAIRS_OF_LENGTH = 50;

const MEASURED: Record<Measure, (found: EvaluationInfo) => number> = {
  exact_match: (found) => found.exactMatch,
  bleu: (found) => found.bleu,
  alignment_error_rate: (found) => found.alignmentErrorRate,
  perplexity: (found) => found.perplexity,
  /** Per token. */
  loss: (found) => Math.log(found.perplexity),
};

/** "exact_match" or "exact_match(20)"; length 0 is any. */
function readMeasure(name: string): { measure: Measure; length: number } | null {
  const [, measure, length = '0'] = /^(\w+)(?:\((\d+)\))?$/.exec(name) ?? [];
  return measure && Object.hasOwn(MEASURED, measure) ? { measure: measure as Measure, length: Number(length) } : null;
}

export class Facts {
  /** By length. */
  private readonly evaluated = new Map<number, EvaluationInfo>();

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
        if (TEXTS.includes(name)) texts.set(name, await this.text(name));
        else if (readMeasure(name) && !tensors(name)) facts.set(name, await this.fact(name));
    return Object.assign((name: string) => tensors(name) ?? facts.get(name), {
      text: (name: string) => texts.get(name),
    });
  }

  private async fact(name: string): Promise<Tensor> {
    const { measure, length } = readMeasure(name)!;
    if (!this.evaluated.has(length)) this.evaluated.set(length, await this.evaluate(length));
    return { shape: [], values: [MEASURED[measure](this.evaluated.get(length)!)] };
  }

  private async evaluate(length: number): Promise<EvaluationInfo> {
    let found = await need(this.session.evaluate('test', length ? PAIRS_OF_LENGTH : PAIRS, length));
    while (found.done < found.pairs) found = await need(this.session.evaluateMore());
    return found;
  }

  /** What stands beside the source in the pair, or what the model writes for it, the likeliest token at every position. */
  private async text(name: string): Promise<string> {
    const { separator } = this.run.task!;
    const { source, target } = this.run.pair!;
    if (name === 'target') return target.join(separator);
    return (await need(this.session.write(source.join(separator), { method: 'greedy' }))).tokens.join(separator);
  }
}
