// What elements ask about the loaded model; the learner's state stays as it is.
import type { Job } from '#messages/lab';
import { TASK_SETTINGS } from '../engine/own-data';
import type { RemoteSession } from '../engine/remote';
import type { JobQueue } from './job-queue';
import type { LabStore } from './lab-store';
import type * as T from '../engine/types';

/** The calls of a session that change nothing; the caller reports a refusal. */
export type Questions = Pick<
  RemoteSession,
  'values' | 'batch' | 'pairs' | 'estimate' | 'generate' | 'generationCost' | 'outcome' | 'spectrum' | 'principalAxes'
>;

export class Queries {
  constructor(
    private readonly store: LabStore,
    private readonly session: RemoteSession,
    private readonly queue: JobQueue<Job>,
  ) {}

  /** Null if the engine refused, which is reported. */
  async checkGradient(name: string, index: number): Promise<T.GradientCheck | null> {
    return this.#valueOf(await this.queue.run('checkGradient', () => this.session.checkGradient(name, index)));
  }

  /** The engine's settings for learning a task; {} if the engine refused, which is reported. */
  async recipe(task: string, model: string): Promise<T.Config> {
    return this.#valueOf(await this.session.recipe(task, model)) ?? {};
  }

  #valueOf<R>(reply: T.Reply<R>): R | null {
    if (!reply.ok) this.store.reportRefusal(reply);
    return reply.ok ? reply.value : null;
  }

  /** A script that prints under PyTorch what the loaded program computes from its inputs as they are now. */
  pytorch(): Promise<T.Reply<string>> {
    return this.queue.run('export', async () => {
      const { scriptOf } = await import('./script');
      const { store } = this;
      const inputs = store.info!.inputs.map(({ name }) => store.node(name)!);
      return scriptOf(this.session, inputs, this.withProgram(String(store.config().program)));
    });
  }

  /**
   * The settings of the loaded model with another program, as its lines are checked with. Without the task, of which a
   * program needs only the sizes of the vocabularies.
   */
  withProgram(program: string): T.Config {
    const { task } = this.store;
    const settings = Object.entries(this.store.config());
    const others = settings.filter(([name]) => !TASK_SETTINGS.includes(name) || name === 'kind');
    const [source, target] = [task?.sourceWords.length, task?.targetWords.length];
    const sizes: T.Config = source && target ? { source_vocabulary: source, target_vocabulary: target } : {};
    const vocabulary: T.Config = target ? { vocabulary: target } : {};
    return { ...Object.fromEntries(others), ...sizes, ...vocabulary, program };
  }
}
