// Ordinary texts and pairs can be learnt with the settings that the workbench proposes for them.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { EngineSession } from '../../web/src/engine/types';
import { scanPairs } from '../train/scan.mjs';
import { seeded } from './states';
import { value as granted } from '../bindings/modules';
import { learner, tested } from './views-engine';

/** UNROLL_SECONDS=60 trains on every text for that long. */
const seconds = Number(process.env.UNROLL_SECONDS ?? 0);
const wholeRun = process.env.UNROLL_TESTS === 'all' || seconds > 0;
const lessons = new URL('../../lessons/', import.meta.url);
const prose = readdirSync(lessons)
  .filter((name) => /^\d+-/.test(name))
  .map((name) => readFileSync(new URL(`${name}/lesson.md`, lessons), 'utf8'))
  .join('\n');
const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

const SYLLABLES = 'an bel ca do el fi go ha in jo ka lu ma nor o pa ri sa ti u vel wen yo za'.split(' ');
function names(count: number): string {
  const random = seeded(7);
  const syllable = (): string => SYLLABLES[Math.floor(random() * SYLLABLES.length)]!;
  return Array.from({ length: count }, () => `${syllable()}${syllable()}${random() < 0.5 ? syllable() : ''}`)
    .map((name) => name[0]!.toUpperCase() + name.slice(1))
    .join('\n');
}

const POEM = `밤비가 창을 두드리면
나는 너의 이름을 읽는다
한 글자 또 한 글자
젖은 길 위에 놓인 등불처럼

바람이 문을 지나가면
나는 너의 편지를 접는다
한 번 또 한 번
작아진 종이배 하나

아침이 강을 건너오면
나는 너의 노래를 잊는다
한 소절 또 한 소절
물결이 가져가는 대로

그래도 비는 다시 오고
창은 다시 젖고
나는 처음부터 다시
너의 이름을 읽는다`;

const texts: [string, string, boolean][] = [
  ['2 KB of prose', readme.slice(0, 2048), true],
  ['2,000 names, one a line', names(2000), true],
  ['a poem in Korean', POEM, true],
  ['the README', readme, wholeRun],
  ['15 KB', prose.slice(0, 15_000), wholeRun],
  ['434 KB', prose.slice(0, 434_000), wholeRun],
  ['1 MB', prose.repeat(3).slice(0, 1_000_000), wholeRun],
];
const steps = wholeRun ? 60 : 10;
/** Tests often: on 2 KB of text, the model soon overfits, and its result on the test split gets worse again. */
const turns = seconds ? 30 : 1;
/** Pairs of the translation task. */
const SCHEDULED = 2800;

/** The pair that the page opens with. */
function readUnseen(session: EngineSession): void {
  const { separator } = granted(session.task());
  const [pair] = granted(session.pairs('validation', 0, 1));
  granted(session.read(pair!.source.join(separator), pair!.target.join(separator)));
}

it.for(texts.filter(([, , run]) => run))(
  '%s: can be read and learnt',
  { timeout: 3e6 },
  async ([, text], { annotate }) => {
    const session = await learner('transformer_lm', { text });
    readUnseen(session);
    const before = tested(session, 20).perplexity;
    const begun = performance.now();
    let trained = granted(session.train(1));
    const first = trained.loss;
    let best = Infinity;
    for (let turn = 1; turn <= turns; turn++) {
      const isDue = (): boolean =>
        seconds ? performance.now() - begun >= (1000 * seconds * turn) / turns : trained.step >= (steps * turn) / turns;
      while (!isDue()) trained = granted(session.train(1));
      best = Math.min(best, tested(session, 20).perplexity);
    }
    session.delete();
    const { step, loss } = trained;
    if (seconds) await annotate(`${step} steps, loss ${first} to ${loss}, perplexity ${before} to ${best} at best`);
    expect(loss).toBeLessThan(first);
    expect(best).toBeLessThan(before);
  },
);

it(
  `2,000 pairs of SCAN${wholeRun ? ': 99 % of new ones exact' : ' can be read and learnt'}`,
  { timeout: 3e6 },
  async () => {
    const session = await learner('seq2seq', { pairs: scanPairs(2000) });
    const first = granted(session.train(1)).loss;
    let last = granted(session.train(1));
    while (last.step < (wholeRun ? SCHEDULED : 10)) last = granted(session.train(1));
    expect(last.loss).toBeLessThan(first);
    if (wholeRun) expect(tested(session).exactMatch).toBeGreaterThanOrEqual(0.99);
    session.delete();
  },
);
