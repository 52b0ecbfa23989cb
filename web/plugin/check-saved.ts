// In development the lesson that was saved is checked in the background, as `./lab test lessons` would: its figures, its
// solutions, its wrong answers. Mistakes are told in the terminal and over the page.
import { spawn, type ChildProcess } from 'node:child_process';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import type { Plugin, ViteDevServer } from 'vite';
import { lessonsFolder, root } from './library';

const tests = join(root, 'tests');

/** Trains nothing anew whose weights stand beside the lesson: that takes minutes, and `./lab test` does it. */
const quick = (slug: string): string => `^(?=.*${slug})(?!.*comes with the weights)`;
const FILES = ['lessons/lessons.test.ts', 'lessons/lessons-wasm.test.ts'];
const REPORTER = '--reporter=./run/author-reporter.mjs';

const PLACE = /^(lessons\/\S+):(\d+):(\d+): (.*)$/;

/** Calls `tell` with a line at a time; the last is a sum. */
export function startCheck(slug: string, tell: (line: string) => void, env: NodeJS.ProcessEnv = {}): ChildProcess {
  const vitest = join(tests, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...FILES, REPORTER, '-t', quick(slug)], {
    cwd: tests,
    env: { ...process.env, ...env, UNROLL_LESSONS: slug },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  createInterface({ input: child.stdout }).on('line', tell);
  return child;
}

export function checkSaved(): Plugin {
  let running: ChildProcess | undefined;
  const check = (server: ViteDevServer, slug: string): void => {
    running?.kill(); // what it would say is of the text before
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
        const slug = /^(\d\d-[^/\\]+)[/\\]/.exec(relative(lessonsFolder, path))?.[1];
        if (slug) check(server, slug);
      });
      server.httpServer?.on('close', () => running?.kill());
    },
  };
}

/** The first mistake, over the page. */
function overlay(server: ViteDevServer, [, file, line, column, message]: RegExpExecArray): void {
  const loc = { file, line: Number(line), column: Number(column) };
  server.ws.send({ type: 'error', err: { message: message!, stack: '', loc, plugin: 'check of the lesson' } });
}
