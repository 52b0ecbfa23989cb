// Tensors, cells and shapes in words and letters, over the models of all lessons.
import { describe, expect, it } from 'vitest';
import type { TraceNode } from '../../web/src/engine/types';
import { cellCount } from '../../web/src/engine/types';
import { axesIn } from '../../web/src/ui/axes';
import { inQuotes, nameOfCell, nameOfTensor, shapeInLetters, type Run } from '../../web/src/ui/tensor-names';
import { openings } from './openings';

const lessons = await openings();

const runOf = (slug: string): Run => lessons.find((lesson) => lesson.slug === slug)!;
const find = ({ trace }: Run, name: string): TraceNode => trace.nodes.find((node) => node.name === name)!;

function nameOf(slug: string, tensor: string, index?: number): string | null {
  const run = runOf(slug);
  const words = nameOfTensor(run, find(run, tensor), index);
  return words && inQuotes(words);
}

function cellOf(slug: string, tensor: string, index: number): string | null {
  const run = runOf(slug);
  const words = nameOfCell(run, find(run, tensor), index);
  return words && inQuotes(words);
}

const shapeOf = (slug: string, tensor: string): string => shapeInLetters(runOf(slug), find(runOf(slug), tensor));

describe.each(lessons)('$slug', (lesson) => {
  const { nodes } = lesson.trace;

  it('has words for all its tensors, without a path or a name of the program', () => {
    const names = nodes.map((node) => nameOfTensor(lesson, node, 0));
    expect(nodes.filter((_, i) => !names[i]).map(({ name }) => name)).toEqual([]);
    const plain = names.map((name) => name!.map((part) => (typeof part === 'string' ? part : '“”')).join(''));
    expect(plain.filter((name) => /[._/∂#]|\b(undefined|the tensor|the operation)\b/.test(name))).toEqual([]);
  });

  it('has one size for each letter, but for the two vocabularies', () => {
    const sizes = new Map<string, Set<number>>();
    const axes = axesIn(lesson.trace, lesson.config);
    for (const { id, shape } of nodes)
      for (const [axis, letter] of axes[id]!.entries())
        if (letter && letter !== 'V') sizes.set(letter, (sizes.get(letter) ?? new Set()).add(shape[axis]!));
    for (const [letter, found] of sizes) expect([...found], letter).toHaveLength(1);
  });

  it('names the last cell of each tensor without a fault', () => {
    for (const node of nodes) {
      const words = nameOfCell(lesson, node, cellCount(node.shape) - 1);
      if (words) expect(inQuotes(words)).not.toMatch(/undefined|NaN|<|^ /);
    }
  });
});

describe('a tensor in words', () => {
  it('is named with the token that is read or written', () => {
    expect(nameOf('looking-back', 'decoder.t1.attention/c')).toBe('the context for “g”');
    expect(nameOf('looking-back', 'decoder.t5.attention/α')).toBe('the weights for the end');
    expect(nameOf('looking-back', 'encoder.0.t2/h')).toBe('the state after “d”');
    expect(nameOf('looking-back', 'encoder.0.t2/r')).toBe('the reset gate at “d”');
    expect(nameOf('recurrent-cell', 'cell.0.t2/h')).toBe('the new state at position 2');
  });

  it('is named with head, attention and block', () => {
    const heads = runOf('many-heads');
    const scores = find(heads, 'decoder.1.cross_attention/e');
    const ofHead2 = 2 * (scores.shape[2]! * scores.shape[3]!);
    expect(nameOf('many-heads', scores.name, ofHead2)).toBe(
      'the scores of head 2 (attention to the source, block 2 of the decoder)',
    );
    expect(nameOf('the-block', 'decoder.0/after attention')).toBe('the sum after the attention (block 1)');
  });

  it('says what a gradient, a parameter and a step of the optimiser belong to', () => {
    const run = runOf('looking-back');
    const gradient = run.trace.nodes[find(run, 'decoder.t1.attention/c').gradient]!;
    expect(nameOf('looking-back', gradient.name)).toBe('the gradient of the context for “g”');
    expect(nameOf('the-block', 'decoder.0.attention.W_Q.weight')).toBe(
      'the query matrix (decoder, block 1, attention)',
    );
    expect(nameOf('looking-back', 'encoder.0.U')).toBe('the matrix of the gates for the state (encoder, layer 1)');
    expect(nameOf('looking-back', 'update.W_c.weight/step')).toBe('the step, for the matrix of the context');
  });

  it('has none for a name of the learner', () => {
    const own = { ...runOf('softmax').trace.nodes[5]!, name: 'my_thing', op: 'add' };
    const run = { ...runOf('softmax'), trace: { nodes: [own], scopes: [] } };
    expect(nameOfTensor(run, own)).toBeNull();
  });
});

describe('a cell in words', () => {
  it('is named by the tokens of its row and column', () => {
    expect(cellOf('looking-back', 'attention/α', 5)).toBe('weight of “b” when writing “g”');
    expect(cellOf('looking-back', 'decoder.t1.attention/e', 3)).toBe('score of “g”');
    expect(cellOf('looking-back', 'encoder/h', 2 * 16 + 4)).toBe('number 5 of 16 at “d”');
    expect(cellOf('looking-back', 'decoder.t1.attention/c', 0)).toBe('number 1 of 16');
    expect(cellOf('the-block', 'decoder.0.attention/α', 8)).toBe('weight of the start when reading “one”');
  });

  it('has no words where a batch is shown, or there are no tokens', () => {
    expect(cellOf('recurrent-language-model', 'attention/α', 0)).toBeNull();
    expect(cellOf('four-words', 'attention/α', 0)).toBeNull();
  });
});

describe('a shape', () => {
  it('has the letters of what its axes count, without a batch of one', () => {
    expect(shapeOf('looking-back', 'attention/α')).toBe('T × S = 6 × 5');
    expect(shapeOf('looking-back', 'encoder/h')).toBe('S × H = 5 × 16');
    expect(shapeOf('looking-back', 'decoder.0.W')).toBe('3H × E = 48 × 8');
    expect(shapeOf('looking-back', 'logits')).toBe('T × V = 6 × 14');
    expect(shapeOf('alignment', 'decoder.0.W')).toBe('3H × (E + 2H) = 120 × 112');
    expect(shapeOf('many-heads', 'decoder.1.cross_attention/α')).toBe('N × T × S = 4 × 15 × 11');
    expect(shapeOf('many-heads', 'encoder.0.attention/q')).toBe('N × S × K = 4 × 11 × 12');
    expect(shapeOf('the-block', 'decoder.0.feed_forward/hidden')).toBe('T × F = 8 × 64');
    expect(shapeOf('four-words', 'attention/e')).toBe('T × T = 4 × 4');
    expect(shapeOf('recurrent-language-model', 'attention/α')).toBe('B × T × T = 52 × 9 × 9');
  });

  it('has digits alone where the model does not say, whatever the lengths', () => {
    expect(shapeOf('four-words', 'attention/V')).toBe('4 × 3');
    expect(shapeOf('many-heads', 'encoder.0.attention.rotary/concat')).toBe('4 × 11 × 6 × 2');
    expect(shapeOf('softmax', 'α')).toBe('5');
    expect(shapeOf('softmax', 'L')).toBe('scalar');
  });
});
