// Tests that need no browser; *.spec.ts beside them are Playwright's.
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** What these do to the globals or the engine's memory must not reach other files. */
const APART = [
  'bindings/{hostile-programs,refusals,same-bits,simd}.test.ts',
  'web/{client,old-names,storage-waits,unsaved,value-cache,views-trace}.test.ts',
];

const project = (name: string, test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, ...test },
});

export default defineConfig({
  test: {
    maxWorkers: Number(process.env.UNROLL_WORKERS ?? availableParallelism()),
    testTimeout: 60_000, // a stalled machine is no failure
    projects: [
      // The files of a worker share one engine.
      project('together', {
        include: ['**/*.test.ts'],
        exclude: [...configDefaults.exclude, ...APART],
        isolate: false,
      }),
      project('apart', { include: APART, unstubGlobals: true, restoreMocks: true }),
    ],
  },
});
