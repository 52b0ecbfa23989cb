// The parts of `./lab test`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The suites that `./lab test` takes by name. */
export const SUITES = ['engine', 'bindings', 'lessons', 'web', 'fuzz', 'lab'];

/**
 * The programs that run tests.
 * - `alone`: it has limits in milliseconds and runs alone, after those that share the machine
 * - `tells`: the format in which it reports each test; see readers.mjs
 * - `words`: its arguments to run these files, or the tests whose title contains a text
 */
const doctest = (preset, name, ...options) => ({
  tells: 'doctest',
  command: [join(root, 'build', preset, 'tests', name), '--reporters=xml', '--duration=true', ...options],
  words: (files) => [`--source-file=${files.map((file) => `*${file}`).join(',')}`],
});
const script = (...command) => ({ tells: 'status', command, words: () => [] });
const vitest = {
  tells: 'events',
  command: ['npx', 'vitest', 'run', '--reporter=./run/vitest-reporter.mjs'],
  words: (files, title) => [...files, ...(title ? ['-t', title] : [])],
};
/** Of several machines, this one's share of the browser tests, like 1/2. */
export const share = process.env.UNROLL_SHARE;
const playwright = (project, alone = false) => ({
  alone,
  tells: 'events',
  command: [
    ...['npx', 'playwright', 'test', '-c', 'web/playwright.config.ts', `--project=${project}`],
    ...(share ? [`--shard=${share}`] : []),
  ],
  words: (files, title) => [...files, ...(title ? ['-g', title] : [])],
});

const FLOAT = /^engine\/.*(?<!_gradient)_test\.cpp$/;
const SESSION = /^bindings\/.*_test\.cpp$/;
const DOUBLE = /^engine\/.*_gradient_test\.cpp$/;
const TIMED = /^web\/.*\.timed\.spec\.ts$/;
const UNTIMED = /^web\/.*(?<!\.timed)\.spec\.ts$/;
const NATIVE = 'unroll_session,unroll_same_bits,unroll_conform,unroll_run,unroll_differential';
const PAGE = ['wasm/engine', 'site', 'browser'];

const fuzzer = (name) => {
  const program = script('../build/sanitize/tests/unroll_fuzz', name);
  return part('fuzz', `${name}, fuzzed`, null, 60, program, ['sanitize/unroll_fuzz'], 'all');
};

const inFloat = doctest('native', 'engine_tests');
const inFloatSanitised = doctest('sanitize', 'engine_tests');

/** Threads share every loop, however short. */
const onThreads = (count) => {
  const program = doctest('native', 'engine_tests', `--threads=${count}`);
  return part('engine', `engine, on ${count} threads`, FLOAT, 45, program, ['native/engine_tests'], 'all');
};

/**
 * - `files`: its test files, relative to tests/
 * - `builds`: what `./lab make` builds first; `buildsForAll`: what it adds for "all"
 * - `seconds`: how long it took on two cores: an estimate until it has run here
 * - `tier`: "all" if only `./lab test all` runs it
 */
export const PARTS = [
  part('engine', 'engine', FLOAT, 18, inFloat, ['native/engine_tests']),
  part('bindings', 'session', SESSION, 2, inFloat, ['native/engine_tests']),
  part('engine', 'gradients, in double', DOUBLE, 45, doctest('native', 'gradient_tests'), ['native/gradient_tests']),
  onThreads(2),
  onThreads(4),
  part('engine', 'engine, sanitised', FLOAT, 270, inFloatSanitised, ['sanitize/engine_tests'], 'all'),
  part('bindings', 'session, sanitised', SESSION, 30, inFloatSanitised, ['sanitize/engine_tests'], 'all'),
  part(
    ...['engine', 'gradients, sanitised', DOUBLE, 300, doctest('sanitize', 'gradient_tests')],
    ...[['sanitize/gradient_tests'], 'all'],
  ),
  part('engine', 'engine, compiled by clang', null, 60, script('./clang.sh'), ['second_compiler'], 'all'),
  ...['safetensors', 'pairs', 'text', 'config', 'syntax', 'program', 'session'].map(fuzzer),
  part('fuzz', 'links and records, fuzzed', /^fuzz\/.*\.test\.ts$/, 60, vitest, ['format'], 'all'),
  part('engine', 'engine, checked by clang-tidy', null, 240, script('./tidy.sh'), ['linter'], 'all'),
  part(
    'web',
    'types of page and tests',
    null,
    10,
    script('npx', 'tsc', '--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', '../build/tests/types'),
    ['native/declarations', 'site'],
  ),
  part('lab', 'arguments of lab', null, 20, script('./lab.sh'), ['native/unroll_train', 'site']),
  part('lab', 'formatting', null, 15, script('./format.sh'), ['format']),
  {
    // The benchmark is built so that it can be; it does not run.
    ...part('bindings', 'bindings', /^bindings\/.*\.test\.ts$/, 40, vitest, [
      `native/${NATIVE}`,
      ...['wasm', 'wasm/unroll_bench', 'browser'],
    ]),
    buildsForAll: [`sanitize/${NATIVE}`, 'release/unroll_same_bits'],
  },
  part('lessons', 'lessons', /^lessons\/.*\.test\.ts$/, 60, vitest, ['native/unroll_session', 'wasm/engine']),
  part('web', 'page, in Node', /^web\/.*\.test\.ts$/, 60, vitest, ['wasm/engine', 'site']),
  { ...part('web', 'page, in Chromium', UNTIMED, 300, playwright('pages'), PAGE), buildsForAll: ['fonts'] },
  part('web', 'page, timed', TIMED, 100, playwright('timed', true), PAGE),
];

function part(suite, title, of, seconds, program, builds, tier) {
  return { suite, title, files: of ? testFiles().filter((file) => of.test(file)) : [], seconds, program, builds, tier };
}

/** Relative to tests/. */
function testFiles() {
  const inside = (folder) => readdirSync(join(root, 'tests', folder), { recursive: true });
  return SUITES.slice(0, -1).flatMap((folder) => inside(folder).map((file) => `${folder}/${file}`));
}
