// Shared by the tests of the boundary: a session, untyped calls, and a snapshot of everything visible.
import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, expect } from 'vitest';
import type { Engine, EngineSession, Method } from '../../web/src/engine/types';
import { traceOf } from '../../web/src/engine/trace';
import { engine, value } from './modules';
import { expectTranslatable, type Refusal } from './translation';

type Reply = { ok: true; value: unknown } | Refusal;
type Anything = (...words: unknown[]) => Reply;

export let module: Engine;
export let session: EngineSession;

/** Before each test: a session with the attention model, run once. */
export function useSession(): void {
  beforeAll(async () => {
    module = await engine();
  });
  beforeEach(() => {
    renewSession();
    value(session.load({ kind: 'attention', seed: 7 }));
    value(session.run([]));
    return () => session.delete();
  });
}

export function renewSession(): void {
  session = new module.Session();
}

/** A call with arbitrary arguments, bypassing the types, as a broken or hostile page could send. */
export function call(name: string, ...words: unknown[]): Reply {
  return (session[name as Method] as Anything).call(session, ...words);
}

/** Expects that the call is refused with this code, in one sentence, and changes nothing. */
export function refused(name: string, words: unknown[], code: string): void {
  const before = everything();
  const reply = call(name, ...words);
  expect(reply).toMatchObject({ ok: false, code, detail: name });
  expectTranslatable(reply as Refusal, words);
  expect(everything()).toEqual(before);
}

const digest = (bytes: string | ArrayBufferView): string =>
  createHash('sha1')
    .update(typeof bytes === 'string' ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    .digest('hex');

/** Digests of everything visible of a session, with values by node name. */
export function everything(of: EngineSession = session): Record<string, string> {
  const trace = traceOf(value(of.trace()));
  const values = trace.nodes.map(({ id, name }) => [`${id} ${name}`, digest(value(of.values(id)))]);
  return {
    trace: digest(JSON.stringify(trace)),
    saved: digest(value(of.save())),
    ...(Object.fromEntries(values) as Record<string, string>),
  };
}

export const idOf = (name: string): number =>
  traceOf(value(session.trace())).nodes.findIndex((node) => node.name === name);

/** The session also takes a plain list, whatever its declaration says. */
export const numbers = (shape: number[], values: number[] | Float32Array, name = 'X') => [
  { name, shape, values: values as Float32Array },
];
export const twelve = (each: number) => new Float32Array(12).fill(each);
