// Retrains a lesson's model, which must give the weights beside the lesson.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { unwrap } from '../../web/src/engine/refused';
import type { Config } from '../../web/src/engine/types';
import { fromRoot, wholeRun } from '../bindings/modules';
import { NATIVE, openNative, openWasm } from './sessions';

const kept = fromRoot('build/tests/trained');

export const digest = (...parts: (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

async function train(config: Config, steps: number): Promise<string> {
  const session = await (wholeRun ? openWasm() : openNative());
  await unwrap(session.load(config));
  await unwrap(session.train(steps));
  const saved = digest(await unwrap(session.save()));
  session.close();
  return saved;
}

/** The digest of the weights. The same program gives the same bits, so earlier results are reused except for "all". */
export async function retrained(config: Config, steps: number): Promise<string> {
  if (wholeRun) return train(config, steps);
  const file = `${kept}/${digest(readFileSync(NATIVE), JSON.stringify([config, steps]))}`;
  if (!existsSync(file)) {
    const saved = await train(config, steps);
    mkdirSync(kept, { recursive: true });
    writeFileSync(file, saved);
  }
  return readFileSync(file, 'utf8');
}
