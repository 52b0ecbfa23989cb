// A real Chromium on the built site.
import { defineConfig, devices } from '@playwright/test';
import { executablePath, flags } from '../chromium.mjs';

const port = Number(process.env.UNROLL_PORT ?? 4180);

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
    { name: 'pages', testIgnore: timed },
    { name: 'timed', testMatch: timed, fullyParallel: false, workers: 1 },
  ],
  reporter: process.env.CI ? 'line' : 'list',
  use: {
    ...devices['Desktop Chrome'],
    baseURL: `http://127.0.0.1:${port}/`,
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
    launchOptions: { executablePath, args: flags },
  },
  webServer: {
    command: `node server.mjs ${port}`,
    port,
    reuseExistingServer: false,
  },
});
