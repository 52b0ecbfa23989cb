// Example pairs for the model, one after another; not from the training split if there is another.
import type { Lab } from '../lab/lab';
import type { PairInfo, TaskInfo } from '../engine/types';

export class Examples {
  private task: TaskInfo | null = null;
  private number = 0;

  /** The next pair of the validation split, cyclically; of the training split if there is no validation split. */
  async next(lab: Lab): Promise<PairInfo | undefined> {
    const split = lab.task?.validation ? 'validation' : 'train';
    const size = lab.task?.[split] ?? 0;
    if (lab.task?.name !== this.task?.name) this.number = 0; // pair 0 is what the model reads first
    this.task = lab.task;
    this.number = (this.number + 1) % Math.max(size, 1);
    const reply = await lab.engine.pairs(split, this.number, 1);
    return reply.ok ? reply.value[0] : undefined;
  }
}
