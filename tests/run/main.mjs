// `./lab test`: chooses the tests, builds what they need, runs them and counts the results.
//
// doctest, Vitest and Playwright run the tests; CTest and the like run each of them as one test. This runs them side by
// side, counts all their tests together, builds only what the chosen ones need, and chooses by a lesson, a file, or what
// a change can affect (--since), across C++, page and lessons.
import { join } from 'node:path';
import { jobsFor, readWords, Refusal } from './choose.mjs';
import { root } from './parts.mjs';
import { cores, run, runPrograms, stopAll } from './programs.mjs';
import { Tally } from './tally.mjs';

function choose() {
  try {
    const asked = readWords(process.argv.slice(2));
    const jobs = jobsFor(asked);
    if (cores < 2 && jobs.some(({ parts }) => parts.some(({ title }) => title === 'page, timed')))
      throw new Refusal('timed tests need two cores, and this machine has one: name a suite other than web');
    return { asked, jobs };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    stop(error.message);
  }
}

function stop(sentence) {
  console.error(`lab: ${sentence}`);
  process.exit(1);
}

/** Merges the builds of each preset into one. */
function grouped(builds) {
  const targets = new Map();
  for (const [preset, names = ''] of builds.map((build) => build.split('/')))
    targets.set(preset, new Set([...(targets.get(preset) ?? []), ...names.split(',')]));
  return [...targets].map(([preset, names]) => (names.has('') ? preset : `${preset}/${[...names].join(',')}`));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.once(signal, async () => {
    await stopAll();
    stop('the test run was interrupted, so nothing was counted');
  });

const { asked, jobs } = choose();
const parts = jobs.flatMap((job) => job.parts);
const builds = grouped(parts.flatMap((part) => [...part.builds, ...((asked.tier && part.buildsForAll) || [])]));
const made = await run('builds', [join(root, 'lab'), 'make', ...builds], {
  hear: (text) => process.stderr.write(text),
});
if (made !== 0) stop('the tests were not run, because something they need could not be built');

const tally = new Tally(jobs);
await runPrograms(jobs, tally, { UNROLL_TESTS: asked.tier });
process.exitCode = tally.finish() ? 0 : 1;
