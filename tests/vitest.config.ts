// Tests that need no browser; *.spec.ts beside them are Playwright's.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['**/*.test.ts'], exclude: ['node_modules/**'], maxWorkers: availableParallelism() },
});
