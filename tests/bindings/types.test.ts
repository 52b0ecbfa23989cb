// The declarations that the page compiles against are those of the current engine.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { fromRoot, run } from './modules';

it('bindings/engine.d.ts is up to date; if not, build/native/tests/unroll_declarations > bindings/engine.d.ts', () => {
  expect(readFileSync(fromRoot('bindings/engine.d.ts'), 'utf8')).toBe(
    run('build/native/tests/unroll_declarations').output,
  );
});
