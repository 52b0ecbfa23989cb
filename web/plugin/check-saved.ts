// In development, a saved lesson is checked in the background as by `./lab test lessons`: its numbers, solutions and
// wrong answers. Mistakes are reported in the terminal and as an overlay.
import { spawn, type ChildProcess } from 'node:child_process';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Plugin, ViteDevServer } from 'vite';
import { lessonsFolder, root } from './library';

const tests = join(root, 'tests');

/** Test filter that skips retraining of models with stored weights: that takes minutes, and `./lab test` does it. */
const quick = (slug: string): string => `^(?=.*/lessons/${slug}/)(?!.*comes with the weights)`;
const FILES = ['lessons/lessons.test.ts', 'lessons/lessons-wasm.test.ts'];
const REPORTER = '--reporter=./run/author-reporter.mjs';

const PLACE = /^(lessons\/\S+):(\d+):(\d+): (.*)$/;

/** Calls `onLine` for each line of the report; the last is a summary. */
export function startCheck(slug: string, onLine: (line: string) => void, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const vitest = join(tests, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...FILES, REPORTER, '-t', quick(slug)], {
    cwd: tests,
    env: { ...process.env, ...env, UNROLL_LESSONS: slug },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  createInterface({ input: child.stdout }).on('line', onLine);
  return child;
}

export function checkSaved(): Plugin {
  let running: ChildProcess | undefined;
  const check = (server: ViteDevServer, slug: string): void => {
    running?.kill(); // it would report on the previous text
    let overlaid = false;
    running = startCheck(slug, (line) => {
      const place = PLACE.exec(line);
      server.config.logger[/ 0 failed$/.test(line) ? 'info' : 'warn'](place ? line : `lessons/${slug}: ${line}`);
      if (!place || overlaid) return;
      overlaid = true;
      overlay(server, place);
    });
  };
  return {
    name: 'unroll:check-saved',
    apply: 'serve',
    configureServer(server) {
      server.watcher.on('change', (path) => {
        const slug = /^\d+-([^/\\]+)[/\\]/.exec(relative(lessonsFolder, path))?.[1];
        if (slug) check(server, slug);
      });
      server.httpServer?.on('close', () => running?.kill());
    },
  };
}

/** Shows a mistake as an overlay on the page. */
function overlay(server: ViteDevServer, [, file, line, column, message]: RegExpExecArray): void {
  const loc = { file, line: Number(line), column: Number(column) };
  server.ws.send({ type: 'error', err: { message: message!, stack: '', loc, plugin: 'check of the lesson' } });
}
