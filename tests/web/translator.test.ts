// The translator of the front page: what it writes under a change is what greedy decoding would write, and what is said of it.
import { expect, it } from 'vitest';
import { readLibrary } from '../../web/plugin/library';
import { modelOf, openTranslator, parametersOf, translatingIn } from '../../web/plugin/translator';
import { linksOf, mostMoved } from '../../web/src/app/front/links';
import {
  changedWords,
  changeOf,
  difference,
  editsOf,
  UNCHANGED,
  write,
  type Change,
  type Read,
} from '../../web/src/app/front/writing';
import { pulledTo, without } from '../../web/src/messages/en/translator';

const model = modelOf(translatingIn(await readLibrary())!);
const [read, own] = await openTranslator(model);
const OWN = 'la vache noire mange la pomme';
const hide = (...hidden: number[]): Change => ({ hidden, pulls: [] });
const pull = (at: number, to: number): Change => ({ hidden: [], pulls: [{ at, to }] });

/** Word by word, from an empty target: how decoding is usually done. */
async function oneByOne(change: Change): Promise<string> {
  const words: string[] = [];
  while (words.length < 14) {
    const { next } = await read([...words, 'la'], change); // an empty target would be filled by the engine
    if (next[words.length] === '<eos>') break;
    words.push(next[words.length]!);
  }
  return words.join(' ');
}

const text = async (change: Change, guess = own.words): Promise<string> =>
  (await write(read, guess, change))!.words.join(' ');

it('it writes what the lesson says', () => expect(own.words.join(' ')).toBe(OWN));

it('each row of its weights sums to one, and the largest are where the lesson says', () => {
  expect(own.weights).toHaveLength(7);
  for (const row of own.weights) expect(row.reduce((sum, each) => sum + each)).toBeCloseTo(1, 5);
  expect(own.weights[2]![1]).toBeCloseTo(0.995, 3);
  expect(own.weights[1]![2]).toBeCloseTo(0.68, 2);
});

it.each([
  ['the first word', hide(0)],
  ['black', hide(1)],
  ['cow', hide(2)],
  ['eats', hide(3)],
  ['two words', hide(1, 2)],
  ['all words', hide(0, 1, 2, 3, 4, 5)],
  ['a pull', pull(5, 2)],
])('under a change it writes what word by word gives: %s', async (_, change) => {
  expect(await text(change)).toBe(await oneByOne(change));
});

it('a hidden word gets no weight, and the others share it', async () => {
  const { words, weights } = (await write(read, own.words, hide(2)))!;
  expect(words.join(' ')).toBe('la souris noire mange la pomme');
  for (const row of weights) {
    expect(row[2]).toBe(0);
    expect(row.reduce((sum, each) => sum + each)).toBeCloseTo(1, 5);
  }
});

it('a pulled word has all of its weight in one place, and the words before it are the same', async () => {
  const { words, weights } = (await write(read, own.words, pull(5, 2)))!;
  expect(words.join(' ')).toBe('la vache noire mange la vache');
  expect(weights[5]).toEqual([0, 0, 1, 0, 0, 0]);
  expect(weights.slice(0, 5)).toEqual(own.weights.slice(0, 5));
});

it('from any guess the same is written, and undoing gives the same bits', async () => {
  for (const guess of ['la', 'pomme pomme pomme', `${OWN} ${OWN}`])
    expect(await text(UNCHANGED, guess.split(' '))).toBe(OWN);
  expect(await write(read, own.words, UNCHANGED)).toEqual(own);
});

it('stops when told to, and where a model goes round in circles', async () => {
  expect(await write(read, own.words, hide(2), () => false)).toBeNull();
  const circling: Read = async (target) => ({ next: [...target.map(() => 'on'), 'on'], weights: [] });
  expect((await write(circling, [], UNCHANGED))!.words).toEqual(Array.from({ length: 14 }, () => 'on'));
});

it('its file has the parameters alone, a third of the checkpoint', () => {
  expect(model.weights.length).toBeLessThan(380 * 1024);
  expect(parametersOf(Buffer.from(model.weights))).toEqual(model.weights);
});

it('edits name each position once', () => {
  expect(
    editsOf(
      {
        hidden: [1],
        pulls: [
          { at: 0, to: 1 },
          { at: 9, to: 0 },
        ],
      },
      2,
      2,
    ),
  ).toEqual([
    { name: 'decoder.t0.attention/e', index: 1, value: -Infinity },
    { name: 'decoder.t1.attention/e', index: 1, value: -Infinity },
    { name: 'decoder.t0.attention/α', index: 0, value: 0 },
    { name: 'decoder.t0.attention/α', index: 1, value: 1 },
  ]);
});

it('a change is named by its words, and of two alike by their place among them', () => {
  const source = model.source.split(' ');
  const named = (change: Parameters<typeof changeOf>[0]): Change => changeOf(change, source, own.words);
  expect(named({})).toEqual(UNCHANGED);
  expect(named({ hide: 'the2 apple' })).toEqual(hide(4, 5));
  expect(named({ hide: 'the' })).toEqual(hide(0));
  expect(named({ pull: 'vache apple' })).toEqual(pull(1, 5));
  for (const wrong of ['horse', 'the3'])
    expect(() => named({ hide: wrong })).toThrow(`"${wrong}" is not among the words: use one of the, black, cow`);
});

it('the words that change are those of before, in their order', () => {
  expect(changedWords(['la', 'vache', 'noire'], ['la', 'souris', 'noire'])).toBe('vache');
  expect(changedWords(['la', 'vache', 'noire'], ['un', 'chat'])).toBe('la vache noire');
  expect(changedWords(['la'], ['la'])).toBe('none');
});

it.each([
  ['a b c', 'a x c', [['b'], ['x']]],
  ['a b c', 'a c', [['b'], []]],
  ['a a', 'a a a', [[], ['a']]],
  ['a', 'a', [[], []]],
])('of %j and %j it says what differs', (before, now, differs) => {
  expect(difference(before.split(' '), now.split(' '))).toEqual(differs);
});

it('says what a change does, in words', () => {
  expect(without(['cow'], [['vache'], ['souris']])).toBe(
    'Without *cow* the model writes *souris* in place of *vache*.',
  );
  expect(without(['black', 'cow'], [['noire'], []])).toBe('Without *black* and *cow* the model leaves out *noire*.');
  expect(without(['the'], [[], []])).toBe(
    'Without *the* the model writes the same. It no longer looks at this word, but the states of its neighbours have read it too.',
  );
  expect(pulledTo('cow', 'noire', [[], []])).toBe('With all the weight on *cow* the model still writes *noire*.');
});

it('the drawing has every weight that can be seen, the lit ones last', () => {
  const links = linksOf(own.weights, own.words.length, 2);
  const seen = own.weights
    .slice(0, 6)
    .flat()
    .filter((weight) => weight >= 0.04);
  expect(links.map(({ weight }) => weight).sort()).toEqual(seen.sort());
  expect(links.at(-1)).toMatchObject({ lit: true, weight: own.weights[2]![1] });
  expect(mostMoved(own.weights, 6)).toBe(2);
});
