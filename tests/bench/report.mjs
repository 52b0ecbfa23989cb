// A case's figures as a row, and the bars that it misses.
import { units } from './cases.mjs';

// A bar of a column that was not measured, as without PyTorch, is left out.
function missedBars(name, where, bars, seconds) {
  const all = Object.entries(bars).flatMap(([who, peers]) =>
    Object.entries(peers).map(([peer, bar]) => [who, peer, bar]),
  );
  return all
    .map(([who, peer, bar]) => [who, peer, bar, seconds[peer] / seconds[who]])
    .filter(([, , bar, times]) => times < bar)
    .map(
      ([who, peer, bar, times]) =>
        `${name} in ${where}: ${who} ${times.toFixed(2)} × as fast as ${peer}, wanted ${bar.toFixed(2)}`,
    );
}

export function entry({ name, kind, sizes, bars }, where, { bytes, ...seconds }) {
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
  };
  return { row, missed: missedBars(name, where, bars[where] ?? {}, seconds) };
}

/** Prints what a case in the pages gave. */
export function lessonEntry({ name }, { row, words, met, wanted }) {
  console.log(`${'page'.padEnd(9)} ${name.padEnd(48)} ${words}`);
  return { row: { case: name, where: 'page', ...row }, missed: met ? [] : [`${name}: ${words}, wanted ${wanted}`] };
}

const figure = (x) => x.toPrecision(3).padStart(7);

export function print({ case: name, where, unit, ours, megabytes, peers, ratio }) {
  const memory = megabytes ? `, ${figure(megabytes).trim()} MB at most` : '';
  const others = Object.keys(peers).map((peer) => `${peer} ${figure(peers[peer])} (× ${ratio[peer].toFixed(2)})`);
  console.log(`${where.padEnd(9)} ${name.padEnd(48)} ours ${figure(ours)}  ${others.join('  ')}  ${unit}${memory}`);
}
