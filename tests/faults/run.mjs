// Plants the faults of faults.txt, one at a time, in a copy of the sources, and runs the test that should catch each.
//
//   node tests/faults/run.mjs [engine | page | NAME…]
//   node tests/faults/run.mjs --check    # only checks that each fits the sources
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../run/parts.mjs';

const copy = join(root, 'build/faults');

function faultIn(paragraph) {
  const [title, files, ...lines] = paragraph.trimEnd().split('\n');
  const [file, test] = files.split(' ');
  const textAfter = (sign) => lines.flatMap((line) => (line.startsWith(sign) ? [line.slice(2)] : [])).join('\n');
  return { name: title.split(':')[0], file, test, find: textAfter('- '), replace: textAfter('+ ') };
}

const FAULTS = readFileSync(new URL('faults.txt', import.meta.url), 'utf8')
  .split('\n\n')
  .slice(1)
  .map(faultIn);

const FAILURE = /^✗ .*$/m;

/** Updates the copy to the current sources; its earlier builds stay. */
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

/** The text of the file with the fault in it. */
function planted({ name, find, replace, file }) {
  const text = readFileSync(join(root, file), 'utf8');
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`${name}: ${file} has the text to replace ${parts.length - 1} times, not once`);
  return parts.join(replace);
}

/** Runs the test that should catch the fault, up to its first failure. */
async function verdictOn(fault) {
  const file = join(copy, fault.file);
  const sound = readFileSync(file);
  writeFileSync(file, planted(fault));
  try {
    const lab = spawn('./lab', ['test', fault.test], { cwd: copy, stdio: ['ignore', 'pipe', 'pipe'] });
    let [output, complaints] = ['', ''];
    lab.stderr.on('data', (text) => (complaints += text));
    for await (const text of lab.stdout.setEncoding('utf8')) {
      output += text;
      if (FAILURE.test(output)) lab.kill('SIGINT');
    }
    if (/could not be built/.test(complaints)) return `NOT BUILT\n${complaints}`;
    const [failure] = FAILURE.exec(output) ?? [];
    if (!failure && !/^[1-9]\d* passed, 0 failed/m.test(output)) return `NOT RUN\n${complaints}`;
    return failure ? `caught  ${failure}` : 'MISSED';
  } finally {
    writeFileSync(file, sound);
  }
}

const asked = process.argv.slice(2);
if (asked[0] === '--check') {
  FAULTS.forEach(planted);
  console.log(`${FAULTS.length} faults fit the sources`);
  process.exit();
}
const isOf = { engine: /^(engine|bindings)\//, page: /^web\// };
const chosen = FAULTS.filter(
  ({ name, file }) => !asked.length || asked.some((word) => word === name || isOf[word]?.test(file)),
);
if (!chosen.length) {
  console.error(`there is no fault "${asked.join(' ')}": see tests/faults/faults.txt`);
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
