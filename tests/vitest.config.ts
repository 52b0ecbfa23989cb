// Tests that need no browser; *.spec.ts beside them are Playwright's.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Takes a minute, so it starts first and the others run beside it. Vitest would start with the largest file. */
const LONGEST = 'lessons-wasm.test.ts';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith(LONGEST);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    exclude: ['node_modules/**'],
    maxWorkers: Number(process.env.UNROLL_WORKERS ?? availableParallelism()),
    testTimeout: 60_000, // a stalled machine is no failure
    sequence: { sequencer: LongestFirst },
  },
});
