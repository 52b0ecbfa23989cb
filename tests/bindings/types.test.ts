// The declarations that the page compiles against are those of the current engine.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fromRoot } from './modules';

const read = (path: string): string => readFileSync(fromRoot(path), 'utf8');

it('bindings/engine.d.ts is up to date; if not, copy build/wasm/engine.d.ts over it', () => {
  expect(read('bindings/engine.d.ts')).toBe(read('build/wasm/engine.d.ts'));
});
