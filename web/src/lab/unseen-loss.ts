// The loss on pairs kept aside, measured now and then while a model trains.
import type { RemoteSession } from '../engine/remote';
import type { UnseenPoint } from '../engine/replay';
import type { EvaluationInfo } from '../engine/types';

/** The same pairs each time, evenly spread over the validation split: what changes is the model. */
const PAIRS = 32;
/** Share of the time of training that measuring may take. */
const SHARE = 0.04;

type Measured = Omit<UnseenPoint, 'step'>;

export class UnseenLoss {
  readonly #began = performance.now();
  /** Milliseconds of all measurements but the first, for which the browser compiles, and of the shortest. */
  #spent = 0;
  #shortest = 0;

  constructor(private readonly session: Pick<RemoteSession, 'evaluate' | 'evaluateMore'>) {}

  /** Another measurement would not take more than its share; at the beginning one does. */
  isDue(): boolean {
    return this.#spent + this.#shortest <= SHARE * (performance.now() - this.#began);
  }

  /** Null if it is refused, or if it must not go on. */
  async measure(goesOn: () => boolean): Promise<Measured | null> {
    const began = performance.now();
    let reply = await this.session.evaluate('validation', PAIRS, 0);
    while (reply.ok && reply.value.done < reply.value.pairs && goesOn()) reply = await this.session.evaluateMore();
    this.#count(performance.now() - began);
    return reply.ok ? measuredIn(reply.value) : null;
  }

  #count(took: number): void {
    if (this.#shortest) this.#spent += took;
    this.#shortest = Math.min(this.#shortest || Infinity, took);
  }
}

/** The engine gives the perplexity, whose logarithm is the mean loss of a token. */
function measuredIn({ done, pairs, perplexity, exactMatch }: EvaluationInfo): Measured | null {
  const loss = Math.log(perplexity);
  if (!done || done < pairs || !Number.isFinite(loss)) return null;
  return Number.isNaN(exactMatch) ? { loss } : { loss, exact: exactMatch };
}
