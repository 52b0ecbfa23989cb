// Pairs that the model has not learnt from, one after another.
import type { Lab } from '../lab';
import type { Config, PairInfo, Split } from '../types';

const AT_ONCE = 100;
const OF_THE_TASK = ['task', 'pairs', 'length', 'digits'];

export class Examples {
  private task = '';
  private pairs: PairInfo[] = [];
  private start = 0;
  private number = 0;

  /** The next of the validation split, after its last the first; of the training split where the task has no other. */
  async next(lab: Lab): Promise<PairInfo | undefined> {
    const split = lab.task?.validation ? 'validation' : 'train';
    const size = lab.task?.[split] ?? 0;
    this.begin(lab.config());
    this.number = (this.number + 1) % Math.max(size, 1);
    if (!this.here) await this.fetch(lab, split);
    return this.here;
  }

  private get here(): PairInfo | undefined {
    return this.pairs[this.number - this.start];
  }

  /** What the model reads first is number 0. */
  private begin(config: Config): void {
    const task = JSON.stringify(OF_THE_TASK.map((key) => config[key]));
    if (task === this.task) return;
    Object.assign(this, { task, pairs: [], start: 0, number: 0 });
  }

  /** From a session of its own, with the smallest model that learns the task. */
  private async fetch(lab: Lab, split: Split): Promise<void> {
    const known = OF_THE_TASK.map((key) => [key, lab.config()[key]]).filter(([, value]) => value !== undefined);
    const config = { kind: 'seq2seq', hidden: 1, embedding: 1, ...Object.fromEntries(known) } as Config;
    this.start = this.number - (this.number % AT_ONCE);
    const reply = await lab.probe(async (session) => {
      const loaded = await session.load(config);
      return loaded.ok ? session.pairs(split, this.start, AT_ONCE) : loaded;
    });
    this.pairs = reply.ok ? reply.value : [];
  }
}
