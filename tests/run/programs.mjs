// Runs the programs: those of one turn in parallel, one per core; the turns in sequence.
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

/** Runs the jobs and adds every test to the tally. */
export async function runPrograms(jobs, tally, env) {
  const turns = [...new Set(jobs.map(({ program }) => program.turn))].sort();
  for (const turn of turns) {
    const waiting = jobs.filter(({ program }) => program.turn === turn);
    const lane = async () => {
      for (let job = waiting.shift(); job; job = waiting.shift()) await runOne(job, tally, env);
    };
    await Promise.all(Array.from({ length: cores }, lane));
  }
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
