// Runs weights.ts with the engine, through Vite: Node does not run TypeScript by itself.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const at = (path) => new URL(path, import.meta.url);

const { default: create } = await import(at('../../build/wasm/engine.mjs'));
const engine = await create({ wasmBinary: readFileSync(at('../../build/wasm/engine.wasm')) });
const { module } = await runnerImport(fileURLToPath(at('weights.ts')));
try {
  console.log(await module.writeWeights(process.argv[2], engine));
} catch (error) {
  console.error(`lab train: ${error.message}`);
  process.exit(2);
}
