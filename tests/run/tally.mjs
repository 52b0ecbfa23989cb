// Counts the tests, shows progress, and prints each failure with the command that repeats it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root, share } from './parts.mjs';
import { cores, logs } from './programs.mjs';

/** Seconds each program took the last time it ran in full on this machine. */
const TIMES = join(root, 'build/tests/seconds.json');
const LINES = 16;
/** Milliseconds between progress lines where the previous one cannot be overwritten. */
const PAUSE = 30_000;

const minutes = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.round(seconds % 60)).padStart(2, '0')}`;
const titleOf = ({ parts }) => parts.map(({ title }) => title).join(' + ');
const isWhole = ({ parts, files, title }) => !title && files.length === parts.flatMap((part) => part.files).length;
const indented = (text) => stripVTControlCharacters(text).trim().split('\n').slice(0, LINES).join('\n    ');

export class Tally {
  #counts = new Map();
  #failures = [];
  #seconds = readTimes();
  #running = new Set();
  #began = Date.now();
  #shown = Date.now();
  #timer = setInterval(() => this.#show(), 1000);

  constructor(jobs) {
    this.waiting = [...jobs];
    for (const { parts } of jobs)
      for (const part of parts) this.#counts.set(part, { passed: 0, failed: 0, leftOut: 0, seconds: 0, flaky: [] });
  }

  begin(job) {
    this.waiting.splice(this.waiting.indexOf(job), 1);
    this.#running.add(Object.assign(job, { began: Date.now(), heard: new Set(), count: 0, failed: 0 }));
  }

  add(job, { title, file, line, seconds, state, message, measured = [] }) {
    const part = job.parts.find(({ files }) => files.includes(file?.replace('tests/', ''))) ?? job.parts[0];
    const count = this.#counts.get(part);
    job.count++;
    job.heard.add(file?.replace('tests/', ''));
    count.seconds += seconds;
    for (const figures of measured) this.#write(`· ${title}: ${figures}`);
    if (state === 'left out') return void count.leftOut++;
    if (state === 'flaky') count.flaky.push(`${file}:${line} › ${title}`);
    if (state !== 'failed') return void count.passed++;
    count.failed++;
    job.failed++;
    this.#fail(`${file}${line ? `:${line}` : ''} › ${title}`, message, `./lab test ${file ?? part.suite}`);
  }

  /** A program that exits with an error but no failed test, or that leaves out a file, counts as one failure. */
  end(job, status) {
    this.#running.delete(job);
    const [part] = job.parts;
    const count = this.#counts.get(part);
    const log = join(logs, `${job.name}.log`);
    if (status === 0 && isWhole(job)) this.#seconds[titleOf(job)] = (Date.now() - job.began) / 1000;
    if (part.program.tells === 'status' && status === 0) return void count.passed++;
    const silent = job.title || share ? [] : job.files.filter((file) => !job.heard.has(file));
    if (status === 0 ? job.heard.size && !silent.length : job.failed > 0) return;
    count.failed++;
    const end = readFileSync(log, 'utf8').trim().split('\n').slice(-LINES).join('\n');
    const what = status === 0 ? `ran no test of ${silent.join(', ') || job.title}` : `exited with status ${status}`;
    this.#fail(`${titleOf(job)} ${what}`, `${end}\nlog: ${log}`, `./lab test ${part.suite}`);
  }

  #fail(where, message, again) {
    this.#failures.push(where);
    this.#write(`✗ ${where}\n    ${indented(message)}\n    rerun: ${again}`);
  }

  /** Prints one line per part, then the totals; true if every test passed. */
  finish() {
    clearInterval(this.#timer);
    this.#write('');
    mkdirSync(join(root, 'build/tests'), { recursive: true });
    writeFileSync(TIMES, JSON.stringify(this.#seconds));
    let [passed, failed] = [0, 0];
    for (const [{ title }, count] of this.#counts) {
      passed += count.passed;
      failed += count.failed;
      const left = count.leftOut ? `, ${count.leftOut} only in "all"` : '';
      console.log(`${title.padEnd(26)} ${String(count.passed).padStart(5)} passed, ${count.failed} failed${left}`);
      for (const test of count.flaky) console.log(`  passed on the second try: ${test}`);
    }
    for (const where of this.#failures) console.log(`✗ ${where}`);
    console.log(`\n${passed} passed, ${failed} failed in ${minutes((Date.now() - this.#began) / 1000)}`);
    return failed === 0 && passed > 0;
  }

  /** Seconds that a program will take: what it took here the last time, or an estimate. */
  expected(job) {
    return this.#seconds[titleOf(job)] ?? job.parts.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  #left() {
    const rest = (job) => Math.max(this.expected(job) - (Date.now() - job.began) / 1000, 1);
    const sum = (isAlone) =>
      this.waiting.reduce((all, job) => all + (Boolean(job.program.alone) === isAlone ? this.expected(job) : 0), 0);
    return Math.max(0, ...[...this.#running].map(rest)) + sum(false) / cores + sum(true);
  }

  #show() {
    const line = `${[...this.#running].map((job) => `${titleOf(job)} (${job.count})`).join(', ')} · ${minutes(this.#left())} left`;
    if (process.stdout.isTTY) process.stdout.write(`\r\u001b[K${line}`);
    else if (Date.now() - this.#shown > PAUSE) this.#write(`… ${line}`);
  }

  #write(text) {
    this.#shown = Date.now();
    if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
    if (text) console.log(text);
  }
}

function readTimes() {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'));
  } catch {
    return {};
  }
}
