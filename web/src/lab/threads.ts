// How many threads take the training steps of a model: one, or where steps are long as many as the learner wants.
import { cores } from '../engine/modules';
import { resume, type Experiment } from '../engine/replay';
import type { RemoteSession } from '../engine/remote';

export class Threads {
  readonly most = cores();
  wanted = this.most;

  constructor(private readonly session: RemoteSession) {}

  get atWork(): number {
    return this.session.threads;
  }

  /**
   * Moves the model, which is in the state of the experiment, to a worker with as many threads as wanted, once that worker
   * is ready; a hidden page uses one thread. False if the move failed: one thread goes on.
   */
  async moveIfReady(experiment: Experiment): Promise<boolean> {
    const wanted = document.hidden ? 1 : this.wanted;
    if (this.atWork === wanted || !this.session.isReadyFor(experiment.config, wanted)) return true;
    const saved = await this.session.save();
    if (!saved.ok) return true; // the worker is lost, and will be replaced
    const checkpoint = { steps: experiment.steps, bytes: saved.value, curve: [] };
    const moveTo = async (threads: number): Promise<boolean> => {
      this.session.threads = threads;
      return (await resume(this.session, experiment, checkpoint)).ok;
    };
    if (await moveTo(wanted)) return true;
    this.wanted = 1;
    await moveTo(1);
    return false;
  }

  /** Its worker was lost; true if that had several threads, which are not retried automatically. */
  lost(): boolean {
    if (this.atWork === 1) return false;
    this.session.threads = this.wanted = 1;
    return true;
  }

  /** A worker with this number of threads did not start. True if the learner had chosen that number: one thread is used now. */
  notStarted(threads: number): boolean {
    if (threads === 1 || threads !== this.wanted) return false;
    this.wanted = 1;
    return true;
  }
}
