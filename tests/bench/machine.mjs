// Which processor a row was measured on, and how much of it others used just before.
import { cpus } from 'node:os';

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

export async function machineNow() {
  const before = cpus();
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
  const after = cpus();
  return {
    core: `${after.length} × ${after[0]?.model.trim() ?? 'unknown processor'}`,
    busy: busyBetween(before, after),
  };
}
