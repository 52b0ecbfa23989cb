// Where a program is checked while it is typed, expressions are computed, and exercises are tried: in workers of their
// own, so that a text that stops its engine takes no trained model with it.
import { inOwnSession, RemoteSession } from './remote';
import type { Calculated, Config, MemberInfo, NamedTensor, OperationInfo, Outline, PastedFile, Reply } from './types';
import { Workers } from './client';

const workers = new Workers();

export class Checking {
  private session = new RemoteSession(workers);
  /** A loaded model keeps the worker alive between two questions. */
  private loaded: Promise<Reply<unknown>> | null = null;

  operations(): Promise<Reply<OperationInfo[]>> {
    return this.ask((session) => session.operations());
  }

  outline(config: Config): Promise<Reply<Outline>> {
    return this.ask((session) => session.outline(config));
  }

  members(path: string): Promise<Reply<MemberInfo[]>> {
    return this.ask((session) => session.members(path));
  }

  readPaste(text: string): Promise<Reply<PastedFile>> {
    return this.ask((session) => session.readPaste(text));
  }

  calculate(program: string, tensors: NamedTensor[]): Promise<Reply<Calculated>> {
    return this.ask((session) => session.calculate(program, tensors));
  }

  /** Runs a job in a session of its own. */
  probe<R>(job: (session: RemoteSession) => Promise<R>): Promise<R> {
    return inOwnSession(workers, job);
  }

  /** The next question opens it again. */
  close(): void {
    this.session.close();
    this.session = new RemoteSession(workers);
    this.loaded = null;
  }

  private async ask<R>(question: (session: RemoteSession) => Promise<Reply<R>>): Promise<Reply<R>> {
    const { session } = this;
    const loaded = await (this.loaded ??= session.load({ kind: 'program' }));
    const reply = loaded.ok ? await question(session) : loaded;
    if (session === this.session && !reply.ok && reply.code === 'E_WORKER') this.close();
    return reply;
  }
}
