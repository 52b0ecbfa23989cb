// What is read out of a lesson: the code that its "show" names in the engine's sources, and where line breaks in its
// text are prevented.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { regionOf } from '../../web/plugin/engine-sources';
import type { RootContent } from 'mdast';
import { fromRoot } from '../bindings/modules';
import { complaint, HEAD } from './bad-lesson';
import { element, parseMarkdown, plain, toHtml } from '../../web/plugin/markdown';

const shown = (file: string, name: string): string[] => {
  const lines = readFileSync(fromRoot(file), 'utf8').split('\n');
  const region = regionOf(lines, name);
  return region ? lines.slice(region[0], region[1] + 1) : [];
};

it('a function, with its comment', () => {
  const lines = shown('engine/nn/attention/multi_head.cpp', 'attend_heads');
  expect(lines.some((line) => line.includes('attend_heads('))).toBe(true);
  expect(lines.at(-1)).toBe('}');
});

it('the call operator of a class, and of no other class', () => {
  const file = 'engine/nn/transformer_block.cpp';
  const lines = shown(file, 'TransformerBlock::operator()');
  expect(lines.find((line) => !line.startsWith('//'))).toMatch(/^BlockOutput TransformerBlock::operator\(\)\(/);
  expect(lines.at(-1)).toBe('}');
  expect(shown(file, 'operator()')).toEqual(lines);
  expect(shown(file, 'Linear::operator()')).toEqual([]);
});

it('no longer name that begins the same', () => {
  expect(regionOf(['int attended() {', '}', 'int attend() {', '}'], 'attend')).toEqual([2, 3]);
});

it('no line that only mentions it: a table of functions, or a return type', () => {
  const lines = [
    'Kind kinds[] = {{"rnn", rnn_step}};',
    'Step other() {',
    '}',
    'State rnn_step() {',
    '}',
    'struct Step {',
    '};',
  ];
  expect(regionOf(lines, 'rnn_step')).toEqual([3, 4]);
  expect(regionOf(lines, 'Step')).toEqual([5, 6]);
});

it.each(['attend', 'TransformerBlock::advance', 'TransformerBlock::operator()', 'operator()'])(
  '%s can be named',
  async (name) => {
    const head = HEAD.replace(/show: \S+/, `show: engine/nn/transformer_block.cpp#${name}`);
    expect(head).toContain(name);
    expect(await complaint(head)).toBe('no complaint');
  },
);

it.each(['a::b::c', 'operator(', 'main()'])('%s is not a valid name', async (name) => {
  const head = HEAD.replace(/show: \S+/, `show: engine/nn/transformer_block.cpp#${name}`);
  expect(await complaint(head)).toMatch(/show is .*use a file and a name in it/);
});

const html = (text: string): string => toHtml(parseMarkdown(text).children, 'lesson.md');

it('punctuation stays with the formula before it', () => {
  expect(html('It is $-\\infty$. And $x$, too.').match(/<\/span>(\.|,)<\/span>/g)).toHaveLength(2);
  expect(html('It is $x$ here.')).not.toContain('unbroken');
  expect(html('$$x$$\n\nNext.')).not.toContain('unbroken');
});

it('a long formula may be broken', () => expect(html(`It is $${'x + '.repeat(12)}y$.`)).not.toContain('unbroken'));

it('punctuation stays with the glossary word before it, ahead of the definition', () => {
  const term = element('span', { className: ['word-and-meaning'] }, [
    element('button', {}, [plain('tensor')]),
    element('span', {}, [plain('meaning')]),
  ]);
  const paragraph = { type: 'paragraph', children: [term, plain(', and more')] } as RootContent;
  const inside = '<button>tensor</button>,<span>meaning</span></span> and more</p>';
  expect(toHtml([paragraph], 'lesson.md')).toBe(`<p><span class="word-and-meaning">${inside}`);
});

it('short code is not broken, long code may be', () => {
  expect(html('See `"cell.0.W"[0,0]` here.')).toContain('<code class="unbroken">"cell.0.W"[0,0]</code>');
  expect(html(`See \`${'a[0] '.repeat(8)}\`.`)).not.toContain('unbroken');
  expect(html('```\nshort\n```')).not.toContain('unbroken');
});
