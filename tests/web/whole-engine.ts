// The engine's module as the worker has it, without a page.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Config, ModelInfo, PairInfo, Reply, TaskInfo, WriteInfo } from '../../web/src/types';

const file = process.env.UNROLL_ENGINE ?? fileURLToPath(new URL('../../build/wasm/engine.mjs', import.meta.url));

export interface EngineSession {
  load(config: Config): Reply<ModelInfo>;
  task(): Reply<TaskInfo>;
  read(source: string, target: string): Reply<PairInfo>;
  write(source: string, options: Config): Reply<WriteInfo>;
  delete(): void;
}

export interface Engine {
  Session: new () => EngineSession;
  recipe(task: string, model: string): Reply<Config>;
}

export async function wholeEngine(): Promise<Engine> {
  const { default: create } = (await import(pathToFileURL(file).href)) as {
    default: (options: { wasmBinary: Uint8Array }) => Promise<Engine>;
  };
  return create({ wasmBinary: readFileSync(file.replace(/\.mjs$/, '.wasm')) });
}
