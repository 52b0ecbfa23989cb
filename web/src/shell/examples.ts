// Pairs that the model has not learnt from, one after another.
import type { Lab } from '../lab';
import type { PairInfo, TaskInfo } from '../types';

export class Examples {
  private task: TaskInfo | null = null;
  private number = 0;

  /** The next of the validation split, after its last the first; of the training split where the task has no other. */
  async next(lab: Lab): Promise<PairInfo | undefined> {
    const split = lab.task?.validation ? 'validation' : 'train';
    const size = lab.task?.[split] ?? 0;
    if (lab.task?.name !== this.task?.name) this.number = 0; // what the model reads first
    this.task = lab.task;
    this.number = (this.number + 1) % Math.max(size, 1);
    const reply = await lab.pairs(split, this.number, 1);
    return reply.ok ? reply.value[0] : undefined;
  }
}
