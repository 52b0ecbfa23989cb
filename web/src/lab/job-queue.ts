// A queue that runs asynchronous jobs one at a time.

export class JobQueue<Job extends string> {
  /** The running job, else null. */
  busy: Job | null = null;
  /** Jobs that wait or run. */
  #jobs = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly changed: () => void) {}

  /** Runs the job after all jobs before it, whether they succeeded or not. */
  run<R>(what: Job, job: () => Promise<R>): Promise<R> {
    this.#jobs++;
    const turn = this.#last.then(() => {
      this.#setBusy(what);
      return job();
    });
    this.#last = turn.then(this.#done, this.#done);
    return turn;
  }

  /** Whether this job is running, and none waits. */
  isAlone(what: Job): boolean {
    return this.busy === what && this.#jobs === 1;
  }

  readonly #done = (): void => {
    this.#jobs--;
    this.#setBusy(null);
  };

  #setBusy(what: Job | null): void {
    this.busy = what;
    this.changed();
  }
}
