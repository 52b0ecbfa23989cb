// The page's end of the worker that reads long texts: the newest text counts, and what is read of an older one is dropped.
import workerUrl from './reading-worker.ts?worker&url';
import { scriptAddress, workerSource } from '../engine/addresses';
import { readOwn, type Job, type Reading } from '../reader/own';

type Answer = { kind: 'ready' } | { kind: 'read'; reading: Reading } | { kind: 'dead' };

export class LongReader {
  private worker: Worker | null = null;
  private job: Job | null = null;
  /** Ends the reading under way. */
  private answer: ((reading: Reading | null) => void) | null = null;

  /** Null if another text was given, or none is wanted, before this one was read. */
  read(job: Job): Promise<Reading | null> {
    this.stop();
    this.job = job;
    return new Promise((resolve) => {
      this.answer = (reading) => {
        this.answer = this.job = null;
        resolve(reading);
      };
      try {
        if (this.worker) this.worker.postMessage(job);
        else this.start();
      } catch {
        this.readHere(); // a browser without workers
      }
    });
  }

  /** Ends the worker if it is reading. */
  stop(): void {
    if (!this.answer) return;
    this.close();
    this.answer(null);
  }

  private close(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  /** Without a worker the page reads it, and stands still meanwhile. */
  private readHere(): void {
    this.close();
    if (this.job) this.answer?.(readOwn(this.job));
  }

  private start(): void {
    const source = workerSource(new URL(workerUrl, import.meta.url).href);
    const worker = (this.worker = new Worker(scriptAddress(source), { type: 'module', name: 'reading' }));
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      URL.revokeObjectURL(source);
      if (this.worker !== worker) return;
      if (data.kind === 'ready') worker.postMessage(this.job);
      else if (data.kind === 'read') this.answer?.(data.reading);
      else this.readHere();
    };
    worker.onerror = () => this.worker === worker && this.readHere();
  }
}
