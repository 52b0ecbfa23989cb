// A real Chromium on the built site.
import { defineConfig, devices } from '@playwright/test';
import { executablePath, flags } from '../chromium.mjs';

/** The browser of a learner with a laptop; a worker of the site, which keeps it for later, only where a test is about it. */
export const WINDOW = {
  ...devices['Desktop Chrome'],
  baseURL: process.env.UNROLL_ADDRESS,
  viewport: { width: 1280, height: 800 },
  serviceWorkers: 'block',
} as const;

const timed = /(checkpoints|training|worker)\.spec\.ts$/;

export default defineConfig({
  timeout: 120_000, // a busy machine with two cores runs axe slowly
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../build/tests/web',
  fullyParallel: true,
  workers: 2,
  // What is timed must not share the machine: it is run by itself, one test after the other.
  projects: [
    // A test that fails there may be tried once more, for the machine may have stalled; the list of results names it.
    { name: 'pages', testIgnore: timed, retries: 1 },
    // What is timed must not share the machine: it is run by itself, one test after the other, and once: a bar that is
    // reached at the second try is not reached.
    { name: 'timed', testMatch: timed, fullyParallel: false, workers: 1 },
  ],
  reporter: '../run/playwright-reporter.mjs',
  use: { ...WINDOW, actionTimeout: 30_000, launchOptions: { executablePath, args: flags } },
  globalSetup: './host.ts',
});
