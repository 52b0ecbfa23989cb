// Runs the programs, one per core; then, one after another, those that need the machine for themselves.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './parts.mjs';
import { READERS } from './readers.mjs';

export const cores = availableParallelism();
export const logs = join(root, 'build/tests/logs');

const running = new Set();
/** Once set, output is ignored and no further program is waited for. */
let stopping = false;

/** Milliseconds a program gets to shut down its own children. */
const GRACE = 5000;

/** Each child leads its own process group, so that its children are signalled too. */
export async function stopAll() {
  stopping = true;
  const end = (signal) => running.forEach(({ pid }) => process.kill(-pid, signal));
  end('SIGINT');
  for (const last = Date.now() + GRACE; running.size && Date.now() < last;) await sleep(50);
  end('SIGKILL');
}

/** Resolves to the exit status; the output goes to a log and is read as it arrives. */
export function run(name, [command, ...words], { env = {}, read = () => undefined, hear = () => undefined } = {}) {
  mkdirSync(logs, { recursive: true });
  const log = createWriteStream(join(logs, `${name}.log`));
  const child = spawn(command, words, {
    cwd: join(root, 'tests'),
    env: { ...process.env, FORCE_COLOR: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  running.add(child);
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => log.write(text));
  child.stdout.on('data', (text) => stopping || read(text));
  child.stderr.on('data', hear);
  return new Promise((ended) => {
    child.on('error', (error) => log.write(`${error.message}\n`));
    child.on('close', (status) => {
      running.delete(child);
      if (!stopping) log.end(() => ended(status ?? 1));
    });
  });
}

/** Runs the jobs, the longest first, and adds every test to the tally. */
export async function runPrograms(jobs, tally, env) {
  const [alone, shared] = [true, false].map((is) => jobs.filter(({ program }) => Boolean(program.alone) === is));
  const waiting = shared.sort((a, b) => tally.expected(b) - tally.expected(a));
  const workers = waiting.length > 1 ? Math.ceil(cores / 2) : cores; // of a program that divides its tests among some
  const lane = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift())
      await runOne(job, tally, { ...env, UNROLL_WORKERS: workers });
  };
  await Promise.all(Array.from({ length: cores }, lane));
  for (const job of alone) await runOne(job, tally, env);
}

async function runOne(job, tally, env) {
  const { name, program, words, lessons = [] } = job;
  tally.begin(job);
  const read = READERS[program.tells]((test) => tally.add(job, test));
  const status = await run(name, [...program.command, ...words], {
    env: { ...env, UNROLL_LESSONS: lessons.join(',') },
    read,
  });
  tally.end(job, status);
}
