// The memory of a browser's processes while thirty lessons are opened one after another in one tab.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LESSONS, open } from './hands.mjs';

const ROUNDS = 3;
const A_ROUND = 10;
const MB = 1024;
const SETTLES = 5_000;
/** The allowed growth; rounds without a leak differ by half of this. */
const MOST_GROWTH = 1.1;
/** The browsers' names for the thread of a dedicated worker. */
const WORKER = /^(DedicatedWorker|DOM Worker|WebCore: Worker)/;

/** Opens the same ten lessons in rounds: growth is the difference between the last two rounds. */
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
  const wrong = last > MOST_GROWTH * before ? ['memory grew more than allowed in the last round of ten lessons'] : [];
  return { done: `${Math.round((last - before) / MB)} MB more after the last ten lessons than before them`, wrong };
}

/** Proportional set size in kilobytes of each descendant process, by type. */
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

/** The number of live workers, including those of pages left earlier. */
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

/** Empty if the process has ended meanwhile. */
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
