// The page's pure parts, without a browser; *.spec.ts beside them are for Playwright.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { root: fileURLToPath(new URL('.', import.meta.url)), include: ['**/*.test.ts'] },
});
