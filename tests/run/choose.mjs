// What was asked for, as jobs: which programs run, and with which arguments.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PARTS, root, SUITES } from './parts.mjs';
import { changedSince, nameOf, ofLessons, touchedBy } from './since.mjs';

/** Why that cannot be run, in one sentence. */
export class Refusal extends Error {}

function refuse(sentence) {
  throw new Refusal(sentence);
}

/** "[all] [SUITE [NAME]]", "[all] FILE" or "[all] --since REV". */
export function readWords(words) {
  const rest = [...words];
  const tier = rest[0] === 'all' ? rest.shift() : '';
  const at = rest.indexOf('--since');
  if (at >= 0 && rest.length === at + 1) refuse('--since has no value: name a revision, like HEAD~1');
  const since = at >= 0 ? rest.splice(at, 2)[1] : '';
  const [suite = '', name = '', more] = rest[0]?.includes('/') ? fromPath(rest) : rest;
  if (more !== undefined) refuse(`test takes one suite and one name: remove "${more}"`);
  if (suite && since) refuse(`--since chooses the tests itself: remove "${suite}"`);
  if (suite && !SUITES.includes(suite))
    refuse(`there is no suite "${suite}": use all, ${SUITES.slice(0, -1).join(', ')} or ${SUITES.at(-1)}`);
  return { tier, suite, name, since };
}

/** tests/web/link.spec.ts is link.spec.ts of the suite web, lessons/01-softmax that lesson of the suite lessons. */
function fromPath([path, ...more]) {
  if (!existsSync(join(root, path))) refuse(`there is no file "${path}"`);
  const [, suite, name] = /^(?:tests\/)?(\w+)\/(.+?)(?:\/lesson\.md|\/)?$/.exec(path) ?? [];
  return [suite, name, ...more];
}

const folders = readdirSync(join(root, 'lessons')).filter((name) => /^\d+-/.test(name));
/** "15", "four-words" or "15-four-words". */
const folderOf = (name) =>
  folders.find((folder) => [folder, folder.split('-', 1)[0], nameOf(folder)].includes(name.padStart(2, '0')));

/** Of each part what is run of it. */
function selection({ suite, name, since }) {
  if (since)
    return touchedBy(
      changedSince(since) ?? refuse(`there is no revision "${since}": git log lists those there are`),
      folders,
    );
  const folder = folderOf(name);
  return (part) => {
    if (suite && part.suite !== suite) return [];
    if (!name) return [{ files: part.files }];
    return folder ? ofLessons(part, [nameOf(folder)]) : [{ files: part.files.filter((file) => file.includes(name)) }];
  };
}

/** A program each, for all parts that it runs tests of. */
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
    refuse(`the suite ${asked.suite} takes minutes: ask for it with "./lab test all ${asked.suite}"`);
  if (!jobs.length) refuse(`the suite ${asked.suite} has no lesson and no file with "${asked.name}" in its name`);
  return jobs.map((job, i) => ({
    ...job,
    name: `${i}-${job.parts[0].suite}`,
    words: job.program.words(job.files, job.title),
  }));
}
