// Claims about trained models: how they are written, what is refused, and that a command finds out whether they hold.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { claimLine, outcomeLine, verdict } from '../../web/plugin/claim-lines';
import { readLesson, type BenchLesson } from '../../web/plugin/lesson';
import { openSession } from '../../web/plugin/session';
import { tryClaim, type Outcome } from '../../web/plugin/try-claim';
import { workOf } from '../../web/plugin/work';
import { engine, fromRoot } from '../bindings/modules';
import { BODY, complaint, context, ENDING, HEAD, placed } from './bad-lesson';
import { benched } from './read';

const claiming = (claims: string, head = HEAD): string => head.replace('seed: 1\n', `seed: 1\nclaims:\n${claims}\n`);
const SHARPER = `  sharper:
    runs: { cold: { temperature: 0.5 }, warm: { temperature: 2 } }
    measure: { top: max(α) }
    holds: [cold.top > warm.top + 0.1]`;
const SENTENCE = 'So :claim[cold is *sharper*, by :value[0.38]{of="0.38"}]{of="sharper"}.';

const read = async (text: string): Promise<BenchLesson> =>
  benched(await readLesson('01-softmax', text + ENDING, context));

it('a sentence that makes a claim is plain text in the page', async () => {
  const { html, head, found } = await read(claiming(SHARPER) + SENTENCE);
  expect(html.replace(/<data.*?<\/data>/, '0.38')).toBe('<p>So <span>cold is <em>sharper</em>, by 0.38</span>.</p>');
  expect(Object.keys(head.claims)).toEqual(['sharper']);
  expect(found.claimed).toEqual([
    { claim: 'sharper', sentence: 'cold is sharper, by 0.38', place: expect.objectContaining({ column: 4 }) },
  ]);
});

it('a sentence needs its claim', async () => {
  expect(await complaint(HEAD + SENTENCE)).toBe(
    placed('0:4 The claim "sharper" is not in the front matter: add it under "claims".', BODY),
  );
  expect(await complaint(claiming(SHARPER) + SENTENCE.replace('"sharper"', '"other"'))).toBe(
    placed('5:4 The claim "other" is not in the front matter: add it under "claims", or use sharper.', BODY),
  );
});

it('a claim needs its sentence', async () => {
  expect(await complaint(claiming(SHARPER) + 'Nothing is said.')).toBe(
    placed('8:3 No sentence makes the claim "sharper": mark one with :claim[…]{of="sharper"}, or remove the claim.'),
  );
});

it.each([
  ['temperature: 0.5', 'temperature: [x]', /^9:35 .*runs\.cold\.temperature\.0 is "x"; use a number/],
  ['top: max(α)', 'top: max(α', /^10:21 .*measure\.top is "max\(α"; use an expression that can be read: /],
  ['top: max(α)', 'Top: max(α)', /^10:\d+ .*use a short name of a–z and 0–9\.$/],
  ['{ top: max(α) }', '{}', /^10:14 .*measure is {}; use one to 6 expressions by name/],
  [
    'cold.top > warm.top + 0.1',
    'cold.tip > warm.top',
    /^11:13 .*holds\.0 is "cold\.tip > warm\.top"; use only what the claim measures: cold\.top or warm\.top\.$/,
  ],
  ['cold.top > warm.top + 0.1', '2 > 1', /^11:13 .*holds\.0 is "2 > 1"; use a condition on measures of runs/],
  ['cold.top > warm.top + 0.1', 'cold.top > > 1', /^11:13 .*use a condition that can be read: /],
  ['    measure', '    seeds: [1.5]\n    measure', /^10:13 .*seeds\.0 is 1\.5; use a whole number/],
  ['    measure: { top: max(α) }\n', '', /^9:5 .*lacks "claims\.sharper\.measure"/],
])('refused at its place: %s as %s', async (from, to, message) => {
  const said = await complaint(claiming(SHARPER.replace(from, to)) + SENTENCE);
  expect(said.replace(/^lessons\/01-softmax\/lesson\.md:(\d+:\d+): /, '$1 ')).toMatch(message);
});

/** The outcomes of the only claim, by seed. */
async function outcomes(text: string): Promise<Outcome[]> {
  const lesson = await read(text);
  const session = openSession(await engine());
  const [[, claim] = expect.unreachable()] = Object.entries(lesson.head.claims);
  const work = workOf(lesson, () => expect.unreachable());
  const found: Outcome[] = [];
  for (const seed of claim.seeds ?? [lesson.head.seed]) found.push(await tryClaim(session, work, claim, seed));
  session.close();
  return found;
}

it('a claim that holds, and the same turned round', async () => {
  const [held] = await outcomes(claiming(SHARPER) + SENTENCE);
  expect(held).toMatchObject({ seed: 1, broken: [] });
  expect(held!.measures.get('cold.top')).toBeCloseTo(0.881, 3);
  const [turned] = await outcomes(claiming(SHARPER.replace('>', '<')) + SENTENCE);
  expect(turned!.broken).toEqual(['cold.top < warm.top + 0.1']);
});

const READER = claiming(
  `  practice:
    runs: { short: { steps: 2 }, long: { steps: 40 } }
    seeds: [1, 7]
    measure: { loss: loss, exact: exact_match(2) }
    holds: [long.loss < short.loss, long.exact >= 0, long.exact == 5]`,
  HEAD.replace(
    /^model: .*$/m,
    'model: { kind: seq2seq, task: copy, length: 4, embedding: 4, hidden: 4, optimiser: adam, learning_rate: 0.01 }',
  ),
);

it('each seed trains a model of its own, and a condition may fail alone', async () => {
  const found = await outcomes(`${READER}:claim[Practice helps.]{of="practice"}`);
  expect(found.map(({ seed, broken }) => [seed, broken])).toEqual([
    [1, ['long.exact == 5']],
    [7, ['long.exact == 5']],
  ]);
  const losses = found.map(({ measures }) => measures.get('long.loss'));
  expect(losses[0]).not.toBe(losses[1]);
});

it('the learning rate falls over the steps that a run names', async () => {
  const losses: (number | undefined)[] = [];
  for (const steps of [40, 1000]) {
    const planned = READER.replace('optimiser: adam', `optimiser: adam, schedule: cosine, steps: ${steps}`);
    const [first] = await outcomes(`${planned}:claim[Practice helps.]{of="practice"}`);
    losses.push(first!.measures.get('long.loss'));
  }
  expect(losses[0]).toBeGreaterThan(0);
  expect(losses[0]).toBe(losses[1]);
});

/** `./lab lessons --claims`, with this as the only lesson. */
function tried(text: string): { status: number | null; stdout: string } {
  const UNROLL_LESSONS_FOLDER = mkdtempSync(join(tmpdir(), 'lessons-'));
  cpSync(fromRoot('lessons/glossary.yaml'), join(UNROLL_LESSONS_FOLDER, 'glossary.yaml'));
  mkdirSync(join(UNROLL_LESSONS_FOLDER, '01-softmax'));
  writeFileSync(join(UNROLL_LESSONS_FOLDER, '01-softmax/lesson.md'), text + ENDING);
  const words = [fromRoot('web/plugin/report.mjs'), '--claims', 'softmax'];
  return spawnSync('node', words, { env: { ...process.env, UNROLL_LESSONS_FOLDER }, encoding: 'utf8' });
}

it('the command ends with status 1 if a claim does not hold, and says which condition', { timeout: 60_000 }, () => {
  const held = tried(claiming(SHARPER) + SENTENCE);
  expect([held.status, held.stdout.split('\n').at(-2)]).toEqual([0, '1 claim tried, 0 do not hold']);
  const turned = tried(claiming(SHARPER.replace('>', '<')) + SENTENCE);
  expect([turned.status, turned.stdout.split('\n').at(-2)]).toEqual([1, '1 claim tried, 1 does not hold']);
  expect(turned.stdout).toContain(': NOT cold.top < warm.top + 0.1\n');
});

it('prints a claim with its place, its figures by seed, and what does not hold', async () => {
  const lesson = await read(claiming(SHARPER) + SENTENCE);
  expect(claimLine(lesson, 'sharper')).toBe(
    `softmax: sharper\n  lessons/01-softmax/lesson.md:${BODY + 5}:4: cold is sharper, by 0.38`,
  );
  const measures = new Map([['cold.top', 0.88079]]);
  expect(outcomeLine({ seed: 3, measures, broken: [] })).toBe('  seed 3: cold.top 0.8808: holds');
  expect(outcomeLine({ seed: 3, measures, broken: ['cold.top > 1'] })).toBe(
    '  seed 3: cold.top 0.8808: NOT cold.top > 1',
  );
  expect([verdict(3, 0), verdict(1, 1)]).toEqual(['3 claims tried, 0 do not hold', '1 claim tried, 1 does not hold']);
});
