// Measures the seconds per run of each contender. They take turns, so that a slow moment of the machine affects all.

const rounds = 15;
const turn = 15; // ms: long against the clock's 0.1 ms

async function timed(run, repetitions) {
  const start = performance.now();
  for (let i = 0; i < repetitions; ++i) {
    const pending = run();
    if (pending) await pending;
  }
  return performance.now() - start;
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

// contenders: { name: { run, scale } } → { name: seconds }, times `scale` if there is one
export async function measure(contenders) {
  const all = Object.entries(contenders).map(([name, one]) => ({ name, scale: 1, ...one, repetitions: 1, times: [] }));
  for (const one of all) {
    const until = performance.now() + 300; // the browser optimises hot code
    while (performance.now() < until) await timed(one.run, 4);
    while ((await timed(one.run, one.repetitions)) < turn) one.repetitions *= 2;
  }
  for (let round = 0; round < rounds; ++round)
    for (const one of all) one.times.push((await timed(one.run, one.repetitions)) / one.repetitions);
  return Object.fromEntries(all.map(({ name, scale, times }) => [name, (scale * median(times)) / 1000]));
}

// All contenders must agree, up to rounding.
export function compare(name, results) {
  for (const [peer, values] of Object.entries(results))
    values.forEach((value, i) => {
      const expected = results.ours[i];
      if (!(Math.abs(value - expected) <= 1e-3 * Math.max(1, Math.abs(expected))))
        throw new Error(`${name}: ${peer} has ${value} at ${i}, ours ${expected}`);
    });
}
