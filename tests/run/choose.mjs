// Turns the arguments of `./lab test` into jobs: which programs run, with which arguments.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS, root, SUITES } from './parts.mjs';
import { changedSince, nameOf, ofLessons, touchedBy } from './since.mjs';

/** Why the request cannot be run, in one sentence. */
export class Refusal extends Error {}

function refuse(sentence) {
  throw new Refusal(sentence);
}

/** "[all] [SUITE [NAME]]", "[all] FILE" or "[all] --since REV". */
export function readWords(words) {
  const rest = [...words];
  const tier = rest[0] === 'all' ? rest.shift() : '';
  const at = rest.indexOf('--since');
  if (at >= 0 && rest.length === at + 1) refuse('--since needs a value: name a revision, like HEAD~1');
  const since = at >= 0 ? rest.splice(at, 2)[1] : '';
  const [suite = '', name = '', more] = rest[0]?.includes('/') ? fromPath(rest) : rest;
  if (more !== undefined) refuse(`test takes one suite and one name: remove "${more}"`);
  if (suite && since) refuse(`--since chooses the tests itself: remove "${suite}"`);
  if (suite && !SUITES.includes(suite))
    refuse(`there is no suite "${suite}": use all, ${SUITES.slice(0, -1).join(', ')} or ${SUITES.at(-1)}`);
  return { tier, suite, name, since };
}

/** tests/web/link.spec.ts → link.spec.ts in the suite web; lessons/01-softmax → that lesson in the suite lessons. */
function fromPath([path, ...more]) {
  if (!existsSync(join(root, path))) refuse(`there is no file "${path}"`);
  const [, suite, name] = /^(?:tests\/)?(\w+)\/(.+?)(?:\/lesson\.md|\/)?$/.exec(path) ?? [];
  return [suite, name, ...more];
}

const folders = readdirSync(join(root, 'lessons')).filter((name) => /^\d+-/.test(name));
/** "15", "four-words" or "16-four-words". */
const folderOf = (name) =>
  folders.find((folder) => [folder, folder.split('-', 1)[0], nameOf(folder)].includes(name.padStart(2, '0')));

/** A function that says which files and tests of a part to run. */
function selection({ suite, name, since }) {
  if (since) return touchedBy(changedSince(since) ?? refuse(`there is no revision "${since}": see git log`), folders);
  const folder = folderOf(name);
  return (part) => {
    if (suite && part.suite !== suite) return [];
    if (!name) return [{ files: part.files }];
    return folder ? ofLessons(part, [nameOf(folder)]) : [{ files: part.files.filter((file) => file.includes(name)) }];
  };
}

/** One job per program, covering every part it runs. */
export function jobsFor(asked) {
  const select = selection(asked);
  const jobs = [];
  for (const part of PARTS.filter(({ tier }) => !tier || tier === asked.tier))
    for (const { files, title, lessons } of select(part)) {
      const isScript = part.program.tells === 'status';
      if (!files.length && (!isScript || asked.name)) continue;
      const same = jobs.find((job) => job.program === part.program && job.title === title);
      if (same) (same.parts.push(part), same.files.push(...files));
      else jobs.push({ program: part.program, title, lessons, parts: [part], files: [...files] });
    }
  if (!jobs.length && !asked.name)
    refuse(`the suite ${asked.suite} takes minutes: run "./lab test all ${asked.suite}"`);
  if (!jobs.length) refuse(`the suite ${asked.suite} has no lesson or file that matches "${asked.name}"`);
  return jobs.map((job, i) => ({
    ...job,
    name: `${i}-${job.parts[0].suite}`,
    words: job.program.words(job.files, job.title),
  }));
}
