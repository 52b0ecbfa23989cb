// One thing at a time: jobs that change the engine wait for each other.

export class Line {
  /** What is being waited for, else null. */
  busy: string | null = null;
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly changed: () => void) {}

  /** Runs the job after all jobs before it, whether they succeeded or not. */
  run<R>(what: string, job: () => Promise<R>): Promise<R> {
    const turn = this.last.then(() => {
      this.say(what);
      return job();
    });
    this.last = turn.then(
      () => this.say(null),
      () => this.say(null),
    );
    return turn;
  }

  private say(what: string | null): void {
    this.busy = what;
    this.changed();
  }
}
