// How a lab trains its model: one run at a time, after the changes before it.
import * as texts from '#messages/lab';
import { forwardDone, position } from './cursor/steps';
import * as changes from './changes';
import { LabQueries } from './lab-queries';
import { MAX_STEPS } from './link/table';
import type { Training } from './training';
import type * as T from '../engine/types';

const TOO_LONG: T.Problem = { code: 'E_INPUT', message: texts.trainedEnough(MAX_STEPS), detail: '' };

export abstract class LabTraining extends LabQueries {
  written: string | null = null;
  ran: string | null = null;

  abstract runWritten(): Promise<boolean>;

  /** The change that queued training waits for; null if none is queued. */
  private trainsAfter: Promise<unknown> | null = null;

  get training(): Training {
    return this.trainer.progress;
  }

  /** At most one run is queued; a change requested before its turn cancels it. */
  train(steps: () => number): Promise<boolean> {
    if (this.written !== null) return this.runWritten().then((ran) => ran && this.train(steps));
    const after = this.changes;
    if (this.trainsAfter === after || this.training.status === 'running') return Promise.resolve(false);
    this.trainsAfter = after;
    return this.queue.run('train', async () => {
      if (this.changes !== after) return false;
      this.trainsAfter = null;
      this.say({ problem: null, notice: null });
      const room = MAX_STEPS - this.training.step;
      if (room <= 0) return this.refuse(TOO_LONG) !== null;
      return this.trainNow(Math.min(steps(), room));
    });
  }

  protected trainOn(steps: number, target: number): Promise<boolean> {
    const after = this.changes;
    return this.queue.run('train', async () => {
      const { step } = this.training;
      return this.changes === after && step >= steps && step < target && this.trainNow(target - step);
    });
  }

  private async trainNow(steps: number): Promise<boolean> {
    const trained = await this.trainer.run(steps);
    const made = await this.rerun(() => this.readAgain());
    if (made.ok) this.accept(this.state, made.value);
    if (made.ok && trained.ok) this.finishForward();
    if (!trained.ok) this.refuse(trained);
    if (this.task && this.training.status === 'done') void this.trainer.measure();
    return trained.ok;
  }

  /** Moves the cursor to the end of the forward pass unless it is past it: views show only what it has passed. */
  private finishForward(): void {
    const done = forwardDone(this.trace!);
    if (position(this.trace!, this.cursor) < position(this.trace!, done)) this.set({ cursor: done });
  }

  pauseTraining(): void {
    this.trainer.pause();
  }

  stopTraining(): void {
    this.trainer.stop();
  }

  useThreads(wanted: number): void {
    this.threads.wanted = wanted;
    this.changed('training');
  }

  /** Evaluates on the test split, updating `training.evaluation` batch by batch. */
  measure(): Promise<void> {
    return this.trainer.measure();
  }

  /** Undoes the edits: they belong to positions of the pair before. */
  protected async readAtOnce(source: string, target: string): Promise<T.Reply<T.RunInfo>> {
    const pair = await this.session.read(source, target);
    if (!pair.ok) return pair;
    this.pair = pair.value;
    return this.state.edits.length ? this.session.setEdits([]) : this.session.run([]);
  }

  /** Reruns after training; a target that is the model's own output is generated again. */
  private async readAgain(): Promise<T.Reply<T.RunInfo>> {
    const { pair } = changes.experimentOf(this.page, this.state);
    if (!pair || pair[1]) return this.session.run([]);
    const run = await this.readAtOnce(...pair);
    if (run.ok) this.state = { ...this.state, edits: [] };
    return run;
  }
}
