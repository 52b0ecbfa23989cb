// The stops of a run, in every lesson as it opens: few, named in words, and all operations behind them.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { shownLines } from '../../web/plugin/engine-sources';
import { fitting } from '../../web/src/bench/transport/scrubber';
import type { RemoteSession } from '../../web/src/engine/remote';
import type { Cursor, Trace } from '../../web/src/engine/types';
import { isReached, position, sameCursor, START } from '../../web/src/lab/cursor';
import { homeOf } from '../../web/src/lab/place';
import { isStuck, levelOf, MOST, move, partsOf, stopAt, topStops, type Stop } from '../../web/src/lab/stops';
import { fetchWords, namesOf, plainText } from '../../web/src/ui/stop-names';
import { fromRoot } from '../bindings/modules';
import { openings, type Opening } from './openings';
import { runOf, sessionOf, traceIn } from './views-engine';

const source = (file: string): string => readFileSync(fromRoot(file), 'utf8');

const lessons = (await openings()).map((opening) => ({ ...opening, home: homeIn(opening) }));

function homeIn({ lesson, trace }: Opening): Cursor {
  const { show, board, opens = null } = lesson.head;
  return homeOf({ code: shownLines(show, source), board, opens }, trace);
}

const isForward = ({ phase }: Stop): boolean => phase === 'forward';
const textsOf = ({ trace, tokens }: Opening, level: readonly Stop[]): string[] =>
  namesOf(trace, level, tokens).map(plainText);

/** Every level, from the top down, as Into opens them. */
function* levels(trace: Trace, level = topStops(trace)): Generator<readonly Stop[]> {
  yield level;
  for (const stop of level) {
    const parts = partsOf(trace, stop);
    if (parts.length) yield* levels(trace, parts);
  }
}

/** All cursors that an action leads through. */
function walk(trace: Trace, from: Cursor, action: 'forward' | 'back'): Cursor[] {
  const seen = [from];
  while (!isStuck(trace, seen.at(-1)!, action)) seen.push(move(trace, seen.at(-1)!, action));
  return seen;
}

describe.each(lessons)('$slug', (lesson) => {
  const { trace } = lesson;

  it('has at most 30 stops in its forward pass, and more than two', () => {
    const stops = topStops(trace).filter(isForward);
    expect(stops.length).toBeLessThanOrEqual(MOST);
    expect(stops.length).toBeGreaterThan(2);
  });

  it('names them in words: no path, and no name twice at a level but for its token', () => {
    for (const level of levels(trace)) {
      const names = namesOf(trace, level, lesson.tokens);
      const worded = names.map(({ sentence }) => sentence.filter((part) => typeof part === 'string').join(''));
      for (const words of worded) expect(words).toMatch(/^[^./_∂#]+$/);
      for (const { label } of names) expect(label).not.toBe('');
      const plain = names.filter(({ sentence }) => sentence.every((part) => typeof part === 'string')).map(plainText);
      expect(new Set(plain).size, plain.join(', ')).toBe(plain.length);
    }
  });

  it('has no word for any part that is only a name of the program', () => {
    const all = [...levels(trace)].flatMap((level) => textsOf(lesson, level));
    expect(all.filter((name) => /\b(the tensor|the function|the operation) /.test(name))).toEqual([]);
  });

  it('reaches every operation by Into, and every stop is where its cursor is', () => {
    const reached = new Set<number>();
    for (const level of levels(trace))
      for (const stop of level) {
        expect(sameCursor(stopAt(trace, stop.cursor)!.cursor, stop.cursor)).toBe(true);
        reached.add(stop.last);
      }
    const operations = trace.nodes.filter(({ phase }) => phase !== 'leaf').map(({ id }) => id);
    expect(operations.filter((id) => !reached.has(id))).toEqual([]);
  });

  it('covers each level without a gap', () => {
    for (const level of levels(trace)) {
      const { parent } = level[0]!;
      if (parent) expect([level[0]!.first, level.at(-1)!.last]).toEqual([parent.first, parent.last]);
      for (const [i, { first }] of level.entries())
        if (i) expect(position(trace, { node: first - 1 })).toBe(position(trace, { node: level[i - 1]!.last }));
    }
  });

  it('goes forward to the end and back through the same stops', () => {
    const there = walk(trace, START, 'forward');
    expect(there.at(-1)).toEqual(move(trace, START, 'last'));
    expect(there).toHaveLength(topStops(trace).length + 1);
    expect(walk(trace, there.at(-1)!, 'back').reverse()).toEqual(there);
  });

  it('goes on from the last part of a stop to the next stop, and before the first to the one before', () => {
    const tops = topStops(trace);
    for (const [i, stop] of tops.entries()) {
      const parts = partsOf(trace, stop);
      if (!parts.length) continue;
      expect(move(trace, stop.cursor, 'into')).toEqual(parts[0]!.cursor);
      expect(move(trace, parts[0]!.cursor, 'out')).toEqual(stop.cursor);
      expect(move(trace, parts[0]!.cursor, 'back')).toEqual(tops[i - 1]?.cursor ?? START);
      const last = parts.at(-1)!.cursor;
      if (tops[i + 1]) expect(move(trace, last, 'forward')).toEqual(tops[i + 1]!.cursor);
    }
  });

  it('opens at a stop of the top level, with the forward pass reached', () => {
    if (!lesson.home.opening) return;
    const stop = stopAt(trace, lesson.home);
    expect(levelOf(trace, stop)).toBe(topStops(trace));
    expect(
      topStops(trace)
        .filter(isForward)
        .every(({ last }) => isReached(trace.nodes[last]!, lesson.home)),
    ).toBe(true);
    expect(sameCursor(move(trace, lesson.home, 'forward'), lesson.home)).toBe(false);
  });

  it('has the same bits at the first stop after the last one was read', async () => {
    const read = async (stop: Stop): Promise<Float32Array> => {
      const reply = await (lesson.session as unknown as RemoteSession).values(stop.last);
      if (!reply.ok) throw new Error(reply.message);
      return reply.value;
    };
    const stops = topStops(trace);
    const before: Float32Array[] = [];
    for (const stop of stops) before.push(await read(stop));
    const after: Float32Array[] = [];
    for (const stop of [...stops].reverse()) after.unshift(await read(stop));
    expect(after).toEqual(before);
  });
});

describe('what is traced of writing', () => {
  const reverse = { kind: 'seq2seq', task: 'reverse', length: 5, hidden: 8, embedding: 8 };
  const unknown = { read: () => undefined, written: () => undefined, isOwn: true };

  /** All names, once each. */
  async function namesIn(trace: Trace): Promise<string[]> {
    await fetchWords(trace);
    return [...new Set([...levels(trace)].flatMap((level) => namesOf(trace, level, unknown).map(plainText)))];
  }

  it.each([
    [{ writing: 'sample', writing_top_k: 5, writing_top_p: 0.9 }, /^top-k keeps .*\n(.*\n)*a token is drawn$/m],
    [{ writing: 'beam', writing_width: 2 }, /^the best continuations$/m],
    [{ writing_measure: 'bleu' }, /^the brevity penalty$/m],
    [{ task: 'translate-en-fr', writing_measure: 'alignment' }, /^the alignment error rate$/m],
  ])('%o is named in words', async (settings, wanted) => {
    const { length: _, ...translating } = reverse;
    const isWords = 'task' in settings;
    const model = isWords ? translating : reverse;
    const pair = isWords
      ? (['the black cow eats the apple', 'la vache noire mange la pomme'] as const)
      : (['abc', 'cba'] as const);
    const names = await namesIn((await runOf({ ...model, ...settings }, pair)).trace);
    for (const name of names) expect(name).toMatch(/^[^./_∂#]+$/);
    expect(names.filter((name) => /\b(the tensor|the function|the operation) /.test(name))).toEqual([]);
    expect(names.join('\n')).toMatch(wanted);
  });

  it('names the coins of scheduled sampling, once the rate is below 1', async () => {
    const session = await sessionOf({ ...reverse, forcing: 0.5, steps: 2 });
    session.train(2);
    session.read('abc', 'cba');
    const names = await namesIn(traceIn(session));
    expect(names.join('\n')).toMatch(/^a coin says which token is read/m);
    expect(names).toContain('the random number');
    session.delete();
  });
});

describe('what the transport says', () => {
  const named = (slug: string): string[] => {
    const lesson = lessons.find((each) => each.slug === slug)!;
    return textsOf(lesson, topStops(lesson.trace));
  };

  it('follows the tokens of the pair', () => {
    const names = named('looking-back');
    expect(names.slice(1, 6)).toEqual(['b', 'a', 'd', 'g', 'e'].map((letter) => `the encoder reads ${letter}`));
    expect(names).toContain('the decoder should write g');
    expect(names).toContain('the decoder should write the end');
    expect(names.slice(-3)).toEqual(['the loss', 'the backward pass', 'the update of the parameters']);
  });

  it('says that the model writes only where no target was given', () => {
    expect(named('decoding')).toContain("the decoder writes l'");
    expect(named('decoding').join('\n')).not.toContain('should write');
  });

  it('says how a source is read', () => {
    expect(named('alignment')).toContain('the encoder reads cow, coming from the end');
    expect(named('decoding')[1]).toBe('the encoder reads bag'); // the last word is read first
  });

  it('names the blocks and the parts of an attention', () => {
    expect(named('the-block')).toContain('block 2 mixes the words');
    expect(named('encoder-decoder')).toContain('block 1 of the decoder mixes the words');
    expect(named('four-words')).toEqual(
      expect.arrayContaining(['the queries', 'the scores', 'the weights', 'the context']),
    );
  });
});

describe('labels', () => {
  it('are dropped where they do not fit, the longest first, and never at the cursor', () => {
    const widths = [40, 7, 7, 120, 30];
    expect([...fitting(widths, 1000, 1)].sort()).toEqual([0, 1, 2, 3, 4]);
    expect([...fitting(widths, 120, 1)].sort()).toEqual([1, 2, 4]);
    expect([...fitting(widths, 0, 3)]).toEqual([3]);
  });
});
