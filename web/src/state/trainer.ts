// Lets the engine train, slice by slice, looks at what it has come to now and then, and keeps it.
import { trainInSlices } from '../engine/slices';
import { afterSlice, TEST_PAIRS, untrained, type Training } from './training';
import type { RemoteSession } from '../engine/remote';
import type { Checkpoint } from '../engine/replay';
import type { EvaluationInfo, Reply, TrainInfo, WriteInfo } from '../types';

/** Milliseconds between two looks, and between two checkpoints. */
const LOOK = 500;
const KEEP = 3000;

export interface Host {
  /** After every slice. */
  trained(step: number): void;
  /** The sources whose translations are watched. */
  watched(): string[];
  keep(checkpoint: Checkpoint): Promise<void>;
  /** Fetches the numbers on the bench again. */
  looked(): Promise<void>;
  changed(): void;
}

export class Trainer {
  now: Training = untrained();
  private pausing = false;
  private looked = 0;
  /** When last, in whichever run: however soon and often its worker falls, it is thrown back no further than that. */
  private kept = 0;
  private keeping = false;
  private sliceEnd = 0;
  private measurement = 0;

  constructor(
    private readonly session: RemoteSession,
    private readonly host: Host,
  ) {}

  /** A model is built that has taken so many steps, and is about to take the rest. */
  begin(step: number, target: number, curve: Training['curve']): void {
    this.measurement++;
    this.pausing = false;
    this.sliceEnd = performance.now();
    this.now = { ...untrained(step, curve), target, status: target > step ? 'running' : 'idle' };
    this.host.changed();
  }

  /** A slice of training it again; false if it shall stop there. */
  replayed(info: TrainInfo): boolean {
    this.count(info);
    return !this.pausing;
  }

  /** It is built: where that ended, and whether it was stopped on the way to so many steps. */
  settle(asked: number): { step: number; stopped: boolean } {
    const { step } = this.now;
    this.set({ status: 'idle', target: step });
    return { step, stopped: step < asked };
  }

  /**
   * Until so many more steps are taken, or pause(), or a refusal: the weights are then the last good ones. Who stops it
   * sees that it stopped, and does not wait until it is kept and looked at; whoever awaits this does.
   */
  async run(steps: number): Promise<Reply<TrainInfo>> {
    this.measurement++;
    this.pausing = false;
    const { status, step, target } = this.now;
    const goesOn = status === 'paused' && target > step;
    this.set(goesOn ? { status: 'running' } : { ...this.plan(steps), status: 'running', evaluation: null });
    this.sliceEnd = performance.now();
    const reply = await trainInSlices(this.session, this.now.target - step, (info) => this.afterSlice(info));
    const diverged = !reply.ok && reply.code === 'E_DIVERGED';
    this.set({ status: diverged ? 'diverged' : this.now.step < this.now.target ? 'paused' : 'done' });
    await this.keep();
    await this.look();
    return reply;
  }

  private plan(steps: number): Partial<Training> {
    const { step } = this.now;
    return { from: step, target: step + steps, elapsed: 0, expected: 0 };
  }

  /** Ends after the slice that runs; run() then answers. */
  pause(): void {
    this.pausing = true;
  }

  /** No going on: the next run is another one. */
  stop(): void {
    this.pausing = true;
    const { step, status } = this.now;
    this.set({ target: step, status: status === 'paused' ? 'done' : status });
  }

  /** Writes the pairs of the test split, and counts. */
  async measure(): Promise<void> {
    const mine = ++this.measurement;
    let reply: Reply<EvaluationInfo> = await this.session.evaluate('test', TEST_PAIRS);
    while (reply.ok && mine === this.measurement) {
      this.set({ evaluation: reply.value });
      if (reply.value.done >= reply.value.pairs) return;
      reply = await this.session.evaluateMore();
    }
  }

  async look(): Promise<void> {
    const samples: WriteInfo[] = [];
    for (const source of this.host.watched()) {
      const reply = await this.session.write(source, {});
      if (reply.ok) samples.push(reply.value);
    }
    this.looked = performance.now();
    this.set({ samples });
    await this.host.looked();
  }

  private async afterSlice(info: TrainInfo): Promise<boolean> {
    this.count(info);
    this.host.trained(info.step);
    const now = performance.now();
    if (now - this.kept > KEEP && !this.keeping) void this.keep();
    else if (now - this.looked > LOOK) await this.look();
    return !this.pausing;
  }

  private count(info: TrainInfo): void {
    const now = performance.now();
    this.set(afterSlice(this.now, info, (now - this.sliceEnd) / 1000));
    this.sliceEnd = now;
  }

  /** Asks for the weights before the next slice does: training goes on while they are written. */
  private async keep(): Promise<void> {
    const { step, curve } = this.now;
    const now = performance.now();
    this.keeping = true;
    const reply = await this.session.save();
    this.keeping = false;
    if (!reply.ok) return;
    this.kept = now;
    await this.host.keep({ steps: step, bytes: reply.value, curve });
  }

  private set(part: Partial<Training>): void {
    this.now = { ...this.now, ...part };
    this.host.changed();
  }
}
