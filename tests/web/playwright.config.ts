// Runs the built site in a real Chromium.
import { defineConfig, devices } from '@playwright/test';
import { executablePath, flags } from '../chromium.mjs';

/** A learner's laptop browser. The service worker is blocked, except in tests about it. */
export const WINDOW = {
  ...devices['Desktop Chrome'],
  baseURL: process.env.UNROLL_ADDRESS,
  viewport: { width: 1280, height: 800 },
  serviceWorkers: 'block',
} as const;

/** The specs with limits in milliseconds, by their names. */
const TIMED = '*.timed.spec.ts';

export default defineConfig({
  timeout: 120_000, // axe is slow on a busy machine with two cores
  expect: { timeout: 20_000 }, // as are three programs on two cores: what is waited for is a state
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../../build/tests/web',
  fullyParallel: true,
  workers: 2,
  projects: [
    // One retry, as the machine may have stalled; the results list tests that needed it.
    { name: 'pages', testIgnore: TIMED, retries: 1 },
    // Timed tests must not share the machine: they run alone, one after another, and without retries, so that a limit
    // has to hold the first time.
    { name: 'timed', testMatch: TIMED, fullyParallel: false, workers: 1 },
  ],
  reporter: '../run/playwright-reporter.mjs',
  use: { ...WINDOW, actionTimeout: 30_000, launchOptions: { executablePath, args: flags } },
  globalSetup: './host.ts',
});
