// A queue that runs asynchronous jobs one at a time.

export class JobQueue<Job extends string> {
  /** The running job, else null. */
  busy: Job | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly changed: () => void) {}

  /** Runs the job after all jobs before it, whether they succeeded or not. */
  run<R>(what: Job, job: () => Promise<R>): Promise<R> {
    const turn = this.last.then(() => {
      this.setBusy(what);
      return job();
    });
    this.last = turn.then(
      () => this.setBusy(null),
      () => this.setBusy(null),
    );
    return turn;
  }

  private setBusy(what: Job | null): void {
    this.busy = what;
    this.changed();
  }
}
