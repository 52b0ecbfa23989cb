// Plants the faults of faults.mjs one at a time in a copy of the sources, and runs the tests that are to notice each.
//
//   node tests/faults/run.mjs [engine | page | NAME…]
//   node tests/faults/run.mjs --check    # only that each has its place in the sources
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run/parts.mjs';
import { FAULTS } from './faults.mjs';

const copy = join(root, 'build/faults');

const FAILURE = /^✗ .*$/m;

/** The sources as they are now; what was built of them before stays. */
function makeCopy() {
  const git = (...words) => spawnSync('git', words, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 }).stdout;
  const files = git('ls-files', '--cached', '--others', '--exclude-standard').split('\n').filter(Boolean);
  for (const file of files.filter((name) => existsSync(join(root, name)))) {
    const [from, to] = [join(root, file), join(copy, file)];
    if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) continue;
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
  }
}

/** The source with the fault in it. */
function planted({ name, find, replace, file }) {
  const text = readFileSync(join(root, file), 'utf8');
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${name}: ${file} has its place ${parts.length - 1} times, not once`);
  return parts.join(replace);
}

/** The first failure of the tests that are to notice the fault, which end with it. */
async function verdictOn(fault) {
  const file = join(copy, fault.file);
  const sound = readFileSync(file);
  writeFileSync(file, planted(fault));
  try {
    const lab = spawn('./lab', ['test', fault.test], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
    let [told, complaints] = ['', ''];
    lab.stderr.on('data', (text) => (complaints += text));
    for await (const text of lab.stdout.setEncoding('utf8')) {
      told += text;
      if (FAILURE.test(told)) lab.kill('SIGINT');
    }
    if (/could not be made/.test(complaints)) return `NOT BUILT\n${complaints}`;
    const [failure] = FAILURE.exec(told) ?? [];
    return failure ? `caught  ${failure}` : 'MISSED';
  } finally {
    writeFileSync(file, sound);
  }
}

const asked = process.argv.slice(2);
if (asked[0] === '--check') {
  FAULTS.forEach(planted);
  console.log(`${FAULTS.length} faults have their place`);
  process.exit();
}
const isOf = { engine: /^(engine|bindings)\//, page: /^web\// };
const chosen = FAULTS.filter(
  ({ name, file }) => !asked.length || asked.some((word) => word === name || isOf[word]?.test(file)),
);
if (!chosen.length) {
  console.error(`there is no fault "${asked.join(' ')}": tests/faults/faults.mjs lists those there are`);
  process.exit(1);
}
rmSync(join(copy, 'build/tests'), { recursive: true, force: true });
makeCopy();
let caught = 0;
for (const fault of chosen) {
  const verdict = await verdictOn(fault);
  if (verdict.startsWith('caught')) caught++;
  console.log(`${fault.name.padEnd(36)} ${verdict}`);
}
console.log(`${caught} of ${chosen.length} caught`);
process.exitCode = caught < chosen.length ? 1 : 0;
