// A case's figures as a row with the machine it was measured on, and the bars that it misses.
import { cpus } from 'node:os';
import { units } from './cases.mjs';

/** What no run can be faster than: the products alone at the machine's peak, or reading all values from memory once. */
const LIMITS = ['floor', 'bandwidth'];

// A bar of a column that was not measured, as without PyTorch, is left out.
function missedBars(name, where, bars, seconds) {
  const all = Object.entries(bars).flatMap(([who, peers]) =>
    Object.entries(peers).map(([peer, bar]) => ({ who, peer, bar, times: seconds[peer] / seconds[who] })),
  );
  return all.filter(({ bar, times }) => times < bar).map((bar) => sentenceOf(name, where, bar, seconds));
}

/** The hardware's limit is measured on one thread; a bar of it is never beyond it. */
function limitFor(who, peer, seconds) {
  if (who !== 'ours' || LIMITS.includes(peer)) return 0;
  return Math.max(0, ...LIMITS.map((limit) => seconds[limit] ?? 0));
}

const milliseconds = (seconds) => `${(1e3 * seconds).toPrecision(3)} ms`;

function sentenceOf(name, where, { who, peer, bar, times }, seconds) {
  const words = `${name} in ${where}: ${who} ${times.toFixed(2)} × as fast as ${peer}, wanted ${bar.toFixed(2)}`;
  const wanted = seconds[peer] / bar;
  const limit = limitFor(who, peer, seconds);
  if (wanted >= limit) return { words, isOutOfReach: false };
  return {
    words: `${words}: that is ${milliseconds(wanted)}, and this machine needs ${milliseconds(limit)} at its peak`,
    isOutOfReach: true,
  };
}

export function entry(
  { name, kind, sizes, bars },
  where,
  { bytes, ...seconds },
  machine = /** @type {object | null} */ (null),
) {
  const { unit, value } = units[kind];
  const { ours, ...peers } = seconds;
  const map = (f) => Object.fromEntries(Object.entries(peers).map(([peer, time]) => [peer, f(time)]));
  const row = {
    case: name,
    where,
    unit,
    ours: value(sizes, ours),
    megabytes: bytes && bytes / 1e6,
    peers: map((time) => value(sizes, time)),
    ratio: map((time) => time / ours),
    machine,
  };
  return { row, missed: missedBars(name, where, bars[where] ?? {}, seconds) };
}

/** Prints what a case in the pages gave. */
export function lessonEntry({ name }, { row, words, met, wanted }) {
  console.log(`${'page'.padEnd(9)} ${name.padEnd(48)} ${words}`);
  const missed = { words: `${name}: ${words}, wanted ${wanted}`, isOutOfReach: false };
  return { row: { case: name, where: 'page', ...row }, missed: met ? [] : [missed] };
}

/** "missed: …" for each bar; those that no program could meet in this run are marked as such and fail nothing. */
export const verdict = ({ words, isOutOfReach }) => `${isOutOfReach ? 'out of reach here' : 'missed'}: ${words}`;

const figure = (x) => x.toPrecision(3).padStart(7);

export function lineOf({ case: name, where, unit, ours, megabytes, peers, ratio, machine }) {
  const memory = megabytes ? `, ${figure(megabytes).trim()} MB at most` : '';
  const others = Object.keys(peers).map((peer) => `${peer} ${figure(peers[peer])} (× ${ratio[peer].toFixed(2)})`);
  const at = machine ? ` [${machine.core}, ${Math.round(100 * machine.busy)} % busy before]` : '';
  return `${where.padEnd(9)} ${name.padEnd(48)} ours ${figure(ours)}  ${others.join('  ')}  ${unit}${memory}${at}`;
}

/** Of two readings of cpus(), the share of the time between them in which the cores worked. */
export function busyBetween(before, after) {
  const sum = (all, kinds) =>
    all.reduce((total, { times }) => total + kinds.reduce((n, kind) => n + times[kind], 0), 0);
  const [working, all] = [
    ['user', 'nice', 'sys', 'irq'],
    ['user', 'nice', 'sys', 'irq', 'idle'],
  ];
  const passed = sum(after, all) - sum(before, all);
  return passed > 0 ? (sum(after, working) - sum(before, working)) / passed : 0;
}

const PAUSE = 300; // milliseconds in which nothing of the benchmark runs

/** Which processor a row is measured on, and how much of it others use just before. */
export async function machineNow() {
  const before = cpus();
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  const after = cpus();
  return {
    core: `${after.length} × ${after[0]?.model.trim() ?? 'unknown processor'}`,
    busy: busyBetween(before, after),
  };
}
