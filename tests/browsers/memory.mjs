// What a browser's processes hold while thirty lessons are opened one after the other in one tab.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LESSONS, open } from './hands.mjs';

const ROUNDS = 3;
const A_ROUND = 10;
const MB = 1024;
const SETTLES = 5_000;
/** Rounds that leave nothing behind differ by half of this. */
const MOST_GROWTH = 1.1;
/** What the browsers call the thread of a dedicated worker. */
const WORKER = /^(DedicatedWorker|DOM Worker|WebCore: Worker)/;

/** Rounds of the same ten lessons: what the last holds more than the one before is what grows. */
export async function memory(browser, host) {
  const held = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const path of LESSONS.slice(0, A_ROUND)) await open(browser, host.address + path);
    await sleep(SETTLES);
    const before = Math.round(sum(heldBy(browser.pid)) / MB);
    await browser.collect();
    await sleep(SETTLES);
    held.push(heldBy(browser.pid));
    const lessons = (round + 1) * A_ROUND;
    console.log(
      `  after ${lessons} lessons: ${inWords(held.at(-1))}; ${before} before a collection; ${enginesOf(browser)} engines`,
    );
  }
  const [before, last] = held.slice(-2).map(sum);
  const wrong = last > MOST_GROWTH * before ? ['the last round of ten lessons leaves more behind than it may'] : [];
  return { done: `${Math.round((last - before) / MB)} MB more after the last ten lessons than before them`, wrong };
}

/** Kilobytes of its own share of memory, of each process below this one, by what it is. */
function heldBy(pid) {
  const held = {};
  for (const each of below(pid)) {
    const share = /^Pss:\s+(\d+)/m.exec(read(each, 'smaps_rollup'));
    const name = read(each, 'comm').trim();
    if (share) held[name] = (held[name] ?? 0) + Number(share[1]);
  }
  return held;
}

function below(root) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), parent: Number(/^PPid:\s+(\d+)/m.exec(read(pid, 'status'))?.[1]) }));
  const found = [root];
  for (const one of found) found.push(...parents.filter(({ parent }) => parent === one).map(({ pid }) => pid));
  return found;
}

/** Workers that live, those of pages left behind too. */
const enginesOf = ({ pid }) =>
  below(pid).flatMap((each) => threadsOf(each).filter((thread) => WORKER.test(read(each, `task/${thread}/comm`))))
    .length;

function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty where the process has ended meanwhile. */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

const sum = (held) => Object.values(held).reduce((all, share) => all + share, 0);
const inWords = (held) =>
  [
    `${Math.round(sum(held) / MB)} MB`,
    ...Object.entries(held).map(([name, share]) => `${name} ${Math.round(share / MB)}`),
  ].join(', ');
