// A mistake in a lesson gives one sentence with file, line and column: what is wrong, what is allowed, how to fix it.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readLesson } from '../../web/plugin/lesson';
import { lessonsFolder, readEach } from '../../web/plugin/library';
import { ALL, BODY, complaint, context, HEAD, LINKS, number, placed, task } from './bad-lesson';

it('a good lesson has no errors', async () => {
  const text = `${HEAD}## A section\n\nText with $\\weight{\\alpha}$ and :term[softmax], [below](#a-section).\n\n:::step{at="α" cell="0"}\nHere.\n:::\n\n${task(number())}`;
  expect(await complaint(text)).toBe('no complaint');
});

it('a lesson with missing weights does not affect the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lessons-'));
  for (const part of ['glossary.yaml', '01-softmax', '15-four-words'])
    cpSync(join(lessonsFolder, part), join(folder, part), { recursive: true });
  cpSync(join(lessonsFolder, '03-seq2seq/lesson.md'), join(folder, '03-seq2seq/lesson.md'));
  writeFileSync(join(folder, '01-softmax/lesson.md'), HEAD);
  const read = readEach(folder).map(([slug, lesson]) =>
    lesson.then(
      () => slug,
      ({ message }: Error) => message,
    ),
  );
  expect(await Promise.all(read)).toEqual([
    'softmax',
    expect.stringMatching(/^lessons\/03-seq2seq\/lesson\.md:\d+:\d+: .*; use the name of a file beside the lesson/),
    'four-words',
  ]);
  rmSync(folder, { recursive: true });
});

it.each([
  ['03-softmax', 'softmax', '01-softmax'],
  ['16-ending', 'ending', 'ending'],
])('a lesson in %s has no address of its own', async (folder, slug, owner) => {
  const folders = [...context.folders, folder];
  await expect(readLesson(folder, HEAD, { ...context, folders })).rejects.toThrow(
    `lessons/${folder}/lesson.md:1:1: The address lessons/${slug}/ is that of lessons/${owner}: give this folder another name after its number.`,
  );
});

describe('in the text', () => {
  const cases: Record<string, [body: string, complaint: string]> = {
    'an unknown directive': [
      'Text.\n\n:::chart{of="α"}\nx\n:::',
      `2:1 The directive "chart" is not known: use one of ${ALL}.`,
    ],
    'an unknown inline directive': [
      'See :chart[x].',
      `0:5 The directive "chart" is not known: use one of ${ALL}, or put a space after the colon if it is meant as text.`,
    ],
    'a directive with the name of a method': [
      ':::constructor\nx\n:::',
      `0:1 The directive "constructor" is not known: use one of ${ALL}.`,
    ],
    'the wrong colons': [
      '::note',
      '0:1 The directive "note" is a block: write :::note with its attributes on a line of its own, and ::: on the line below it.',
    ],
    'an inline block directive': [
      'A :note[x].',
      '0:3 The directive "note" is a block: write :::note with its attributes on a line of its own, and ::: on the line below it.',
    ],
    'raw HTML': [
      'A <b>word</b>.',
      `0:3 Raw HTML (<b>) is not allowed in a lesson: use Markdown or a directive (${ALL}).`,
    ],
    'a script': [
      '<script>alert(1)</script>',
      `0:1 Raw HTML (<script>alert(1)</script>) is not allowed in a lesson: use Markdown or a directive (${ALL}).`,
    ],
    'a picture': [
      '![x](https://example.org/x.png)',
      '0:1 A "image" is not part of the Markdown that lessons use: use paragraphs, lists, emphasis, code, formulas, links and directives.',
    ],
    'a link to a script': [
      'A [link](javascript:alert(1)).',
      `0:3 The link "javascript:alert(1)" uses "javascript:": ${LINKS}.`,
    ],
    'a link to data': ['[link](data:text/html,x)', `0:1 The link "data:text/html,x" uses "data:": ${LINKS}.`],
    'a link to another site': [
      '[link](https://example.org/)',
      `0:1 The link "https://example.org/" leaves the lessons: ${LINKS}.`,
    ],
    'a link to another site without its scheme': [
      '[link](//example.org/)',
      `0:1 The link "//example.org/" leaves the lessons: ${LINKS}.`,
    ],
    'a relative link out of the lessons': [
      '[link](../../../x)',
      `0:1 The link "../../../x" leaves the lessons: ${LINKS}.`,
    ],
    'a link to a missing lesson': [
      '[link](../cell/)',
      '0:1 The link "../cell/" leads to a lesson that does not exist: use one of softmax or four-words.',
    ],
    'a link to a missing section': [
      '## Here\n\n[link](#there)',
      '2:1 The link "#there" leads to no section of this lesson: use one of #here.',
    ],
    'a selector as an anchor': [
      ':::step{at="#bench > .cell"}\nx\n:::',
      '0:1 The directive "step": at is "#bench > .cell"; use the name of a tensor, like "α" or "attention/α" (no selectors: no #, *, >, brackets or quotes).',
    ],
    'a missing anchor': [':::step\nx\n:::', '0:1 The directive "step" lacks the attribute "at": add at="…".'],
    'an unknown attribute': [
      ':::step{at="α" colour="red"}\nx\n:::',
      '0:1 The directive "step" has no "colour": use at, cell or given; remove it or correct its name.',
    ],
    'an event handler': [
      ':::step{at="α" onclick="x"}\nx\n:::',
      '0:1 The directive "step" has no "onclick": use at, cell or given; remove it or correct its name.',
    ],
    'a heading of the first level': [
      '# Title',
      '0:1 A heading of level 1 is not allowed: use ## for a section and ### inside one; the title is in the front matter.',
    ],
    'a repeated heading': [
      '## Here\n\n## Here',
      '2:1 The heading "Here" occurs twice in this lesson: reword one of them.',
    ],
    'an invalid formula': [
      'So $\\frac{1$ is.',
      "0:4 The formula cannot be read: Unexpected end of input in a macro argument, expected '}' at end of input: \\frac{1; correct its TeX.",
    ],
    'a custom class in a formula': [
      '$\\htmlClass{top}{x}$',
      '0:1 The formula cannot be read: \\htmlClass is not allowed in a lesson, but \\weight{…} and the other roles are; correct its TeX.',
    ],
    'a link in a formula': [
      '$\\href{https://example.org}{x}$',
      '0:1 The formula cannot be read: \\href is not allowed in a lesson, but \\weight{…} and the other roles are; correct its TeX.',
    ],
    'an inline directive as a block': [
      ':::term\nsoftmax\n:::',
      '0:1 The directive "term" stands inside a line: write :term[text] with its attributes.',
    ],
    'a word that is not in the glossary': [
      'A :term[transformer].',
      '0:3 The word "transformer" is not in lessons/glossary.yaml: add it there, or refer to an existing one with {of="…"}.',
    ],
    'a figure that is not a number': [
      'It is :value[about 3]{of="e[0]"}.',
      '0:7 The figure "about 3" is not a plain decimal number: write it like 0.905195.',
    ],
    'a figure without its source': [
      'It is :value[3].',
      '0:7 The directive "value" lacks the attribute "of": add of="…".',
    ],
    'YAML on its own': [
      '```yaml\na: 1\n```',
      '0:1 A YAML block is outside a directive that takes one: move it inside predict, quiz, exercise or compare.',
    ],
    'try without anything to try': [
      ':::try\nx\n:::',
      '0:1 The directive "try" needs exactly one of "set" (a setting), "input" (a tensor) or "pairs" (what to read): keep one.',
    ],
    'try with two things to try': [
      ':::try{input="e" pairs="abc"}\nx\n:::',
      '0:1 The directive "try" needs exactly one of "set" (a setting), "input" (a tensor) or "pairs" (what to read): keep one.',
    ],
    'a pair without its source': [
      ':::try{pairs="abc | → cba"}\nx\n:::',
      '0:1 The directive "try": pairs is "abc | → cba"; use sources with | between them, each with its target or without, like "abc | abd → dba".',
    ],
    'a single element in given': [
      ':::step{at="α" given=\'"e[1]": 2\'}\nx\n:::',
      '0:1 The attribute "given" is {"e[1]":2}: use settings, inputs as a whole or a pair, like {attention: none}.',
    ],
    'a fractional number of steps': [
      'It is :value[3]{of="e[0]" given="steps: 0.5"}.',
      '0:15 The attribute "given": steps is 0.5; use a whole number from 0 to 100000.',
    ],
  };

  const writings: [what: string, attributes: string, sentence: string][] = [
    ['nothing to read', 'method="beam"', 'lacks the attribute "source": add source="…".'],
    ['an unknown method', 'source="a b" method="best"', ': method is "best"; use "greedy", "beam" or "sample".'],
    ['too wide a beam', 'source="a b" method="beam" width="65"', ': width is "65"; use a whole number from 1 to 64.'],
    [
      'a fractional beam width',
      'source="a b" method="beam" width="2.5"',
      ': width is "2.5"; use a whole number from 1 to 64.',
    ],
    [
      'too much normalisation',
      'source="a b" method="beam" length_normalisation="2.5"',
      ': length_normalisation is "2.5"; use a number from 0 to 2.',
    ],
    ['no nucleus', 'source="a b" method="sample" top_p="0"', ': top_p is "0"; use a number above 0, up to 1.'],
    ['a choice with a value', 'source="a b" choose="yes"', ': choose is "yes"; use choose alone, without a value.'],
  ];

  it.each(writings)('write: %s', async (_, attributes, sentence) => {
    const message = await complaint(`${HEAD}:::write{${attributes}}\nx\n:::`);
    expect(message).toBe(placed(`0:1 The directive "write"${sentence.startsWith(':') ? '' : ' '}${sentence}`, BODY));
  });

  it.each([
    ['source="a b" width="3"', '"width"', 'beam', 'greedy'],
    ['source="a b" length_normalisation="1"', '"length_normalisation"', 'beam', 'greedy'],
    ['source="a b" method="beam" temperature="2"', '"temperature"', 'sample', 'beam'],
    ['source="a b" method="sample" show="tree"', 'show="tree"', 'beam', 'sample'],
  ])('write{%s} asks for what its method has not', async (attributes, what, needs, method) => {
    expect(await complaint(`${HEAD}:::write{${attributes}}\nx\n:::`)).toBe(
      placed(
        `0:1 In the directive "write", ${what} goes with method="${needs}", not "${method}": change one of them.`,
        BODY,
      ),
    );
  });

  it('write accepts the options of its method, or all if the method can be chosen', async () => {
    const good = [
      'source="a b"',
      'source="a b" method="beam" width="3" show="tree"',
      'source="a" temperature="0.5" choose',
    ];
    for (const attributes of good)
      expect(await complaint(`${HEAD}:::write{${attributes}}\nx\n:::`)).toBe('no complaint');
  });

  it.each(Object.entries(cases))('%s', async (_, [body, message]) => {
    expect(await complaint(HEAD + body)).toBe(placed(message, BODY));
  });

  it('a link to a state is validated as the page does', async () => {
    const state = (table: unknown): string =>
      `[x](../../workbench/#v1.${deflateRawSync(JSON.stringify(table)).toString('base64url')})`;
    expect(await complaint(HEAD + state({ lesson: '', seed: 3 }))).toBe('no complaint');
    expect(await complaint(HEAD + state({ lesson: '', steps: -3 }))).toBe(
      placed(
        '0:1 The link to a state cannot be opened: In the link, steps is -3; it must be a whole number from 0 to 100000. Copy the whole link again, or remove everything after # to start again.',
        BODY,
      ),
    );
  });
});
