// A link holds the whole state; a bad one is refused in a sentence and never inflated beyond the limit.
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BadLink, isLink } from '../../web/src/lab/link/fragment';
import { decodeLink, encodeLink } from '../../web/src/lab/link/link';
import { saveCheckpoint, lastStored } from '../../web/src/lab/store/checkpoints';
import { JUNK, linkOf, linkTo, misspelt, mutated } from './links';
import { anyState, seeded } from './states';
import { nodeOf } from './lab-parts';
import type { Page } from '../../web/src/lab/page';
import { cursorIn, homeOf, targetCursor } from '../../web/src/lab/place';
import { emptyState, nameOf, pack, unpack, type Packed } from '../../web/src/lab/link/table';
import type { Cursor, State, Trace } from '../../web/src/engine/types';

const full: State = {
  ...emptyState('four-words'),
  section: 'weights',
  config: { mask: 'causal', temperature: 0.5, scores: [1, 5.25, -2] },
  seed: 4_294_967_295,
  inputs: [{ name: 'mask', values: [0, -Infinity, Infinity, 0.1], at: 0 }],
  pair: ['the cat', ''],
  steps: 12,
  edits: [
    { name: 'attention/α', index: 3, value: 0.1 },
    { name: 'mask', index: 5, value: -Infinity },
  ],
  selection: { node: 'attention/α', index: 3 },
  shown: { 'u-heads': { look: 'decoder.1.attention/α', front: 2 }, 'u-picture': { between: true, at: 1, place: 3 } },
};

const interventions: State['interventions'] = [
  { kind: 'hidden', tensor: 'decoder.t*.attention/e[:, :, 1]', training: false, source: '', target: '' },
  { kind: 'frozen', tensor: 'target_embedding.weight', training: true, source: '', target: '' },
  { kind: 'from', tensor: 'encoder/h[:, 2]', training: false, source: 'the red cow', target: '' },
];

/** The sentence of a refusal. */
const refused = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'accepted',
    (error: unknown) => (error instanceof BadLink ? error.message : `not a BadLink: ${String(error)}`),
  );
const refusal = (fragment: string): Promise<string> => refused(decodeLink(fragment));

describe('a good link', () => {
  it.each<State>([
    full,
    { ...full, seed: 0 },
    { ...full, interventions },
    { ...full, stage: 'code', pinned: 'none' },
    { ...full, stage: 'picture', pinned: 'training', selection: null },
  ])('restores exactly the state it was made from', async (state) => {
    expect(unpack(await decodeLink(await encodeLink(pack(state, null)))).state).toEqual(state);
  });

  it('can be made from a stored state that has no view choices yet', async () => {
    const { shown: _, ...before } = full;
    const page = { lesson: 'four-words', config: {}, inputs: [] } as unknown as Page;
    const checkpoint = { steps: 12, bytes: new Uint8Array(), curve: [] };
    const experiment = { config: {}, inputs: [], pair: null, steps: 12, edits: [] };
    await saveCheckpoint(page, before as State, experiment, checkpoint, 12);
    expect((await lastStored(page))!.state).toEqual({ ...full, shown: {} });
  });

  it('holds the name of the learner’s own pairs, and everything else', async () => {
    const pairs = 'a\tb\n'.repeat(10_000);
    const own = { ...full, config: { ...full.config, pairs } };
    const link = await encodeLink(pack(own, null));
    expect(link.length).toBeLessThan(512);
    const table = await decodeLink(link);
    expect(table.own).toEqual(['pairs', nameOf(pairs)]);
    expect(unpack(table, pairs).state).toEqual(own);
  });

  it('leaves out the cursor at the page’s opening position, but not at the start', () => {
    const phases = { X: 'leaf', c: 'forward', L: 'forward', '∂c': 'backward' } as const;
    const made: Trace = {
      nodes: Object.entries(phases).map(([name, phase], id) => nodeOf(id, name, { phase, file: 'a.cpp', line: id })),
      scopes: [],
    };
    const lesson = { code: { file: 'a.cpp', first: 1, last: 1 }, board: [['X']] } as Page;
    const home = homeOf(lesson, made);
    const packed = (cursor: Cursor): Packed => pack({ ...emptyState('x'), cursor }, made, home);
    expect(home).toEqual({ node: 1, scope: -1, opening: true });
    expect(packed(home)).toEqual({ lesson: 'x' });
    for (const node of [-1, 1, 2, 3])
      expect(targetCursor(lesson, made, unpack(packed({ node, scope: -1 })).at)).toEqual({ node, scope: -1 });
    expect(targetCursor(lesson, made, null)).toEqual(home);
    expect(cursorIn(lesson, null, made, { node: 7, scope: 2, opening: true }), 'of another trace').toEqual(home);
    expect(targetCursor({ ...lesson, code: null }, made, null).node).toBe(-1);
  });

  it('opens at the gradient that the page names, where the trace has it', () => {
    const made: Trace = {
      nodes: [
        nodeOf(0, 'c', { phase: 'forward', file: 'a.cpp', line: 1, gradient: 2 }),
        nodeOf(1, '∂L', { phase: 'backward' }),
        nodeOf(2, '∂c', { phase: 'backward' }),
      ],
      scopes: [],
    };
    const lesson = { code: { file: 'a.cpp', first: 1, last: 1 }, board: [['c']], opens: '∂c' } as Page;
    expect(homeOf(lesson, made)).toEqual({ node: 2, scope: -1, opening: true });
    expect(homeOf({ ...lesson, opens: '∂gone' }, made).node).toBe(0);
  });

  const stageIn = (table: Partial<Packed>): string | null => unpack({ lesson: 'x', ...table }).state.stage;

  it('of before there were stages opens among the numbers if it says where the cursor is or which cell is open', () => {
    expect(stageIn({})).toBe(null);
    expect(stageIn({ steps: 12, edits: [['α', 3, 0.1]] })).toBe(null);
    expect(stageIn({ at: ['α', 'α'] })).toBe('numbers');
    expect(stageIn({ cell: ['α', 3] })).toBe('numbers');
  });

  it('follows the lesson if its maker did, and holds the stage that the maker chose', () => {
    expect(stageIn({ at: ['α', 'α'], cell: ['α', 3], stage: 'lesson' })).toBe(null);
    expect(stageIn({ at: ['α', 'α'], stage: 'code' })).toBe('code');
    expect(pack({ ...full, selection: null }, null).stage, 'where no place says otherwise').toBe(undefined);
    expect(pack(full, null).stage).toBe('lesson');
  });

  it('is short', async () => {
    expect((await encodeLink(pack(full, null))).length).toBeLessThan(512);
    const many = Array.from({ length: 60 }, (_, i) => ({ name: 'attention/α', index: i, value: Math.fround(i / 7) }));
    expect((await encodeLink(pack({ ...full, interventions, edits: many }, null))).length).toBeLessThan(2048);
  });

  it('is distinguished from an ordinary anchor', () => {
    expect(isLink('#v1.abc')).toBe(true);
    expect(isLink('#v2.abc')).toBe(true);
    expect(isLink('#values')).toBe(false);
  });
});

describe('a state that no link can hold is refused when the link is made', () => {
  const made = (state: State): Promise<string> => refused(encodeLink(pack(state, null)));
  const edits = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: 'attention/α', index: i, value: Math.sin(i) * 1e-3 }));

  it.each([
    [{ steps: 100_001 }, /^A link cannot hold this: steps is 100001; it must be a whole number from 0 to 100000\.$/],
    [{ edits: edits(1001) }, /^A link cannot hold this: edits is .*; it must be a list of at most 1,000 entries\.$/],
    [
      { inputs: [0, 1, 2, 3].map((at) => ({ name: 'X', at, values: edits(4000).map(({ value }) => value) })) },
      /^A link cannot hold this many edits and changed inputs: undo some edits, or reset an input\.$/,
    ],
  ])('%#', async (more, message) => expect(await made({ ...full, ...more })).toMatch(message));

  it('but 304 edits, or 14 changed inputs, fit', async () => {
    const values = edits(60).map(({ value }) => value);
    const inputs = Array.from({ length: 14 }, (_, at) => ({ name: 'X', at, values }));
    expect(await made({ ...full, edits: edits(304) })).toBe('accepted');
    expect(await made({ ...full, inputs })).toBe('accepted');
  });

  const states = process.env.UNROLL_TESTS === 'all' ? 20_000 : 500;
  it(`${states} random states are restored exactly, or refused`, async () => {
    const random = seeded(15);
    const counts = { made: 0, refused: 0 };
    for (let i = 0; i < states; i++) {
      const state = anyState(random);
      const table = pack(state, null);
      try {
        const read = await decodeLink(await encodeLink(table));
        expect(unpack(read).state).toEqual(state);
        counts.made++;
      } catch (error) {
        expect(error).toBeInstanceOf(BadLink);
        counts.refused++;
      }
    }
    expect(counts.made).toBeGreaterThan(states / 2);
    expect(counts.refused).toBeGreaterThan(states / 20);
  }, 120_000);
});

const MANIPULATED = process.env.UNROLL_TESTS === 'all' ? 20_000 : 500;
it(`${MANIPULATED} manipulated links are refused in a sentence, or hold a valid state`, async () => {
  const random = seeded(10);
  const counts = { read: 0, refused: 0 };
  for (let i = 0; i < MANIPULATED; i++) {
    const good = pack(anyState(random), null);
    const link = i % 2 ? linkTo(mutated(good, JUNK, random)) : misspelt(linkTo(good), random);
    const read = await decodeLink(link).catch((error: unknown) => error);
    counts[read instanceof BadLink ? 'refused' : 'read']++;
    if (!(read instanceof BadLink)) await encodeLink(pack(unpack(read as Packed).state, null));
  }
  expect(counts.read).toBeGreaterThan(MANIPULATED / 50);
  expect(counts.refused).toBeGreaterThan(MANIPULATED / 2);
}, 120_000);

describe('a bad link', () => {
  it('that is truncated anywhere says so', async () => {
    const whole = await encodeLink(pack(full, null));
    for (let length = '#v1.'.length; length < whole.length; length++) {
      expect(await refusal(whole.slice(0, length))).toMatch(/cut short|other than|state table/);
    }
  });

  it('from a newer version names both versions', async () => {
    expect(await refusal('#v2.abcd')).toMatch(/version 2.*reads version 1.*Reload/);
    expect(await refusal('#v0.abcd')).toMatch(/version 0/);
  });

  it('over 32 KB is not read', async () => {
    expect(await refusal(`#v1.${'A'.repeat(33_000)}`)).toMatch(/33,004 characters long; the limit is 32,768\./);
  });

  it('that inflates beyond 256 KB is aborted', async () => {
    const bomb = `#v1.${deflateRawSync(Buffer.alloc(5_000_000)).toString('base64url')}`;
    expect(bomb.length).toBeLessThan(32_768);
    expect(await refusal(bomb)).toMatch(/more than 256 KB/);
  });

  it.each([
    [{ lesson: 'a', pair: ['a'] }, /pair.1 is missing; it must be/],
    [{ lesson: 'a', steps: -3 }, /steps is -3; it must be a whole number from 0 to 100000/],
    [{ lesson: 'a', steps: 1.5 }, /steps is 1.5; it must be a whole number/],
    [{ lesson: 'a', seed: 2 ** 40 }, /seed is 1099511627776; it must be a whole number from 0 to 4294967295/],
    [{ lesson: 7 }, /lesson is 7; it must be text/],
    [{}, /lesson is missing/],
    [{ lesson: 'a', edits: [['e', 0, 'NaN']] }, /edits\.0\.2 is "NaN"; it must be a number/],
    [{ lesson: 'a', edits: 5 }, /edits is 5; it must be a list/],
    [{ lesson: 'a', inputs: [['X', 0, [1, null]]] }, /inputs\.0\.2\.1 is null/],
    [{ lesson: 'a', config: { kind: { deep: 1 } } }, /config\.kind is \{"deep":1\}/],
    [{ lesson: 'a', surprise: 1 }, /surprise/],
    [
      { lesson: 'a', shown: { 'u-heads': { front: -1 } } },
      /shown\.u-heads\.front is -1; it must be a whole number from 0/,
    ],
    [{ lesson: 'a', shown: { 'u-heads': { look: ['x'] } } }, /shown\.u-heads\.look is \["x"\]; it must be text/],
    [
      { lesson: 'a', shown: { 'u-heads': { innerHTML: '<b>' } } },
      /shown\.u-heads\.innerHTML is .*; it must be a table of what a view shows/,
    ],
    [
      { lesson: 'a', what: [['x'.repeat(300), 'α', false, '', '']] },
      /what\.0\.0 is .{1,60}; it must be \[kind, tensor/,
    ],
    [
      { lesson: 'a', what: [['zero', 'α', 'x'.repeat(300), '', '']] },
      /what\.0\.2 is .{1,60}; it must be \[kind, tensor/,
    ],
    [{ lesson: 'a', shown: { 'u-heads': 2 } }, /shown\.u-heads is 2; it must be a table of what a view shows/],
    [{ lesson: 'a', stage: 'board' }, /^In the link, stage is "board"; it must be "picture", "numbers", "code" or/],
    [{ lesson: 'a', stage: null }, /stage is null; it must be "picture", "numbers", "code" or "training"/],
    [{ lesson: 'a', pinned: ['code'] }, /pinned is \["code"\]; it must be "picture", "numbers", "code" or "training"/],
    [{ lesson: 'a', pinned: 'lesson' }, /pinned is "lesson"; it must be/],
    [[1, 2], /must be a state table/],
    ['text', /must be a state table/],
  ])('%j is refused with its field, value and range', async (table, message) => {
    expect(await refusal(linkTo(table))).toMatch(message);
  });

  it('quotes only the beginning of a long field', async () => {
    const named = await refusal(linkTo({ lesson: 'a', config: { ['y'.repeat(1000)]: 1 } }));
    expect(named).toMatch(/^In the link, config\.y{32}… is "y{38}…; it must be text of at most 40 characters\./);
  });

  it('cannot set a prototype', async () => {
    expect(await refusal(linkOf('{"lesson":"a","__proto__":{"steps":-1}}'))).toMatch(/^In the link, __proto__ is /);
    const { config } = await decodeLink(linkOf('{"lesson":"a","config":{"__proto__":{"deep":1},"size":2}}'));
    expect(config).toEqual({ size: 2 });
    expect(Object.hasOwn(config!, '__proto__')).toBe(false);
  });

  it('with foreign characters is refused', async () => {
    expect(await refusal('#v1.%%%')).toMatch(/characters other than/);
    expect(await refusal('#v1.')).toMatch(/cut short/);
  });
});
