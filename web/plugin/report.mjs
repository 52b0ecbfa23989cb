// Runs report.ts through Vite: Node does not run TypeScript by itself.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

try {
  await runnerImport(fileURLToPath(new URL('report.ts', import.meta.url)));
} catch (error) {
  console.error(`lab lessons: ${error.message}`);
  process.exit(2);
}
