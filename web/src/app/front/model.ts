// Loads the model of the translator into a worker.
import { Workers } from '../../engine/client';
import { whyMissing } from '../../engine/offline';
import { unwrap } from '../../engine/refused';
import { RemoteSession } from '../../engine/remote';
import type { Config } from '../../engine/types';
import { readerOf, type Calls, type Read } from './writing';

/** Throws an Error with a sentence. */
export async function openModel({ config, source, weights }: DOMStringMap): Promise<Read> {
  const session = new RemoteSession(new Workers());
  const [bytes] = await Promise.all([fetched(weights!), unwrap(session.load(JSON.parse(config!) as Config))]);
  await unwrap(session.restore(bytes));
  const { targetWords } = await unwrap(session.task());
  return readerOf(callsOf(session), source!, targetWords);
}

async function fetched(address: string): Promise<Uint8Array> {
  const answer = await fetch(address).catch(() => null);
  if (!answer?.ok) throw new Error(await whyMissing());
  return new Uint8Array(await answer.arrayBuffer());
}

const callsOf = (session: RemoteSession): Calls => ({
  read: (source, target) => unwrap(session.read(source, target)),
  setEdits: (edits) => unwrap(session.setEdits(edits)),
  trace: ({ trace }) => unwrap(session.trace(trace)),
  values: (id) => unwrap(session.values(id)),
});
