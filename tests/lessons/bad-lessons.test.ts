// A mistake in a lesson gives one sentence with file, line and column: what is wrong, what is allowed, how to fix it.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readLesson } from '../../web/plugin/lesson';
import { lessonsFolder, readEach } from '../../web/plugin/library';
import { ALL, BODY, complaint, context, ENDING, HEAD, LINKS, number, placed, task } from './bad-lesson';

it('a good lesson has no errors', async () => {
  const text = `${HEAD}## A section\n\nText with $\\weight{\\alpha}$ and :term[softmax], [below](#a-section).\n\n:::step{at="α" cell="0"}\nHere.\n:::\n\n${task(number())}`;
  expect(await complaint(text)).toBe('no complaint');
});

it('a lesson with missing weights does not affect the others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lessons-'));
  for (const part of ['glossary.yaml', '01-softmax', '16-four-words'])
    cpSync(join(lessonsFolder, part), join(folder, part), { recursive: true });
  cpSync(join(lessonsFolder, '06-seq2seq/lesson.md'), join(folder, '06-seq2seq/lesson.md'));
  for (const name of ['06-seq2seq', '16-four-words']) {
    const file = join(folder, name, 'lesson.md');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^needs: .*\n/m, '')); // the lessons that they need are not here
  }
  writeFileSync(join(folder, '01-softmax/lesson.md'), HEAD + ENDING);
  const read = readEach(folder).map(([slug, lesson]) =>
    lesson.then(
      () => slug,
      ({ message }: Error) => message,
    ),
  );
  expect(await Promise.all(read)).toEqual([
    'softmax',
    expect.stringMatching(/^lessons\/06-seq2seq\/lesson\.md:\d+:\d+: .*; use the name of a file beside the lesson/),
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
  /** A text, and what is said of it. */
  const mistakes = {
    'Text.\n\n:::chart{of="α"}\nx\n:::': `2:1 The directive "chart" is not known: use one of ${ALL}.`,
    'See :chart[x].': `0:5 The directive "chart" is not known: use one of ${ALL}, or put a space after the colon if it is meant as text.`,
    ':::constructor\nx\n:::': `0:1 The directive "constructor" is not known: use one of ${ALL}.`,
    '::note':
      '0:1 The directive "note" is a block: write :::note with its attributes on a line of its own, and ::: on the line below it.',
    'A :note[x].':
      '0:3 The directive "note" is a block: write :::note with its attributes on a line of its own, and ::: on the line below it.',
    'A <b>word</b>.': `0:3 Raw HTML (<b>) is not allowed in a lesson: use Markdown or a directive (${ALL}).`,
    '<script>alert(1)</script>': `0:1 Raw HTML (<script>alert(1)</script>) is not allowed in a lesson: use Markdown or a directive (${ALL}).`,
    '![x](https://example.org/x.png)':
      '0:1 A "image" is not part of the Markdown that lessons use: use paragraphs, lists, emphasis, code, formulas, links and directives.',
    'A [link](javascript:alert(1)).': `0:3 The link "javascript:alert(1)" uses "javascript:": ${LINKS}.`,
    '[link](data:text/html,x)': `0:1 The link "data:text/html,x" uses "data:": ${LINKS}.`,
    '[link](https://example.org/)': `0:1 The link "https://example.org/" leaves the lessons: ${LINKS}.`,
    '[link](//example.org/)': `0:1 The link "//example.org/" leaves the lessons: ${LINKS}.`,
    '[link](../../../x)': `0:1 The link "../../../x" leaves the lessons: ${LINKS}.`,
    '[link](../cell/)':
      '0:1 The link "../cell/" leads to a lesson that does not exist: use one of softmax or four-words.',
    '## Here\n\n[link](#there)':
      '2:1 The link "#there" leads to no section of this lesson: use one of #here, #what-to-take-away.',
    ':::step{at="#bench > .cell"}\nx\n:::':
      '0:1 The directive "step": at is "#bench > .cell"; use the name of a tensor, like "α" or "attention/α" (no selectors: no #, *, >, brackets or quotes).',
    ':::step\nx\n:::': '0:1 The directive "step" lacks the attribute "at": add at="…".',
    ':::step{at="α" colour="red"}\nx\n:::':
      '0:1 The directive "step" has no "colour": use at, cell, given, view or stage; remove it or correct its name.',
    ':::step{at="α" onclick="x"}\nx\n:::':
      '0:1 The directive "step" has no "onclick": use at, cell, given, view or stage; remove it or correct its name.',
    ':::step{at="α" view="heads"}\nx\n:::':
      '0:1 The view "heads" is not among the lesson\'s views: add it to "views" in the front matter.',
    ':::step{at="α" stage="board"}\nx\n:::':
      '0:1 The directive "step": stage is "board"; use one of "picture", "numbers", "code" or "training".',
    ':::try{set="temperature" values="1 | 2" stage="Code"}\nx\n:::':
      '0:1 The directive "try": stage is "Code"; use one of "picture", "numbers", "code" or "training".',
    'Text.\n\n:::step{at="α" stage="training"}\nx\n:::':
      '2:1 The stage "training" needs a model with a task: name another stage, or give the model a task.',
    [task(number(), 'id="one" stage="training"')]:
      '0:1 The stage "training" needs a model with a task: name another stage, or give the model a task.',
    '# Title':
      '0:1 A heading of level 1 is not allowed: use ## for a section and ### inside one; the title is in the front matter.',
    '## Here\n\n## Here': '2:1 The heading "Here" occurs twice in this lesson: reword one of them.',
    'So $\\frac{1$ is.':
      "0:4 The formula cannot be read: Unexpected end of input in a macro argument, expected '}' at end of input: \\frac{1; correct its TeX.",
    '$\\htmlClass{top}{x}$':
      '0:1 The formula cannot be read: \\htmlClass is not allowed in a lesson, but \\weight{…} and the other roles are; correct its TeX.',
    '$\\href{https://example.org}{x}$':
      '0:1 The formula cannot be read: \\href is not allowed in a lesson, but \\weight{…} and the other roles are; correct its TeX.',
    ':::term\nsoftmax\n:::': '0:1 The directive "term" stands inside a line: write :term[text] with its attributes.',
    'A :term[transformer].':
      '0:3 The word "transformer" is not in lessons/glossary.yaml: add it there, or refer to an existing one with {of="…"}.',
    'It is :value[about 3]{of="e[0]"}.':
      '0:7 The figure "about 3" is not a plain decimal number: write it like 0.905195.',
    'It is :value[3].': '0:7 The directive "value" lacks the attribute "of": add of="…".',
    '```yaml\na: 1\n```':
      '0:1 A YAML block is outside a directive that takes one: move it inside predict, quiz, exercise or compare.',
    ':::try\nx\n:::':
      '0:1 The directive "try" needs exactly one of "set" (a setting), "input" (a tensor) or "pairs" (what to read): keep one.',
    ':::try{input="e" pairs="abc"}\nx\n:::':
      '0:1 The directive "try" needs exactly one of "set" (a setting), "input" (a tensor) or "pairs" (what to read): keep one.',
    ':::try{pairs="abc | → cba"}\nx\n:::':
      '0:1 The directive "try": pairs is "abc | → cba"; use sources with | between them, each with its target or without, like "abc | abd → dba".',
    ':::step{at="α" given=\'"e[1]": 2\'}\nx\n:::':
      '0:1 The attribute "given" is {"e[1]":2}: use settings, inputs as a whole or a pair, like {attention: none}.',
    'It is :value[3]{of="e[0]" given="steps: 0.5"}.':
      '0:15 The attribute "given": steps is 0.5; use a whole number from 0 to 100000.',
  };

  const writings = {
    'method="beam"': ' lacks the attribute "source": add source="…".',
    'source="a b" method="best"': ': method is "best"; use "greedy", "beam" or "sample".',
    'source="a b" method="beam" width="65"': ': width is "65"; use a whole number from 1 to 64.',
    'source="a b" method="beam" width="2.5"': ': width is "2.5"; use a whole number from 1 to 64.',
    'source="a b" method="beam" length_normalisation="2.5"':
      ': length_normalisation is "2.5"; use a number from 0 to 2.',
    'source="a b" method="sample" top_p="0"': ': top_p is "0"; use a number above 0, up to 1.',
    'source="a b" choose="yes"': ': choose is "yes"; use choose alone, without a value.',
  };
  const ofWriting = (attributes: string): Promise<string> => complaint(`${HEAD}:::write{${attributes}}\nx\n:::`);

  it.each(Object.entries(writings))('write{%s}', async (attributes, sentence) => {
    expect(await ofWriting(attributes)).toBe(placed(`0:1 The directive "write"${sentence}`, BODY));
  });

  it.each([
    ['source="a b" width="3"', '"width"', 'beam', 'greedy'],
    ['source="a b" length_normalisation="1"', '"length_normalisation"', 'beam', 'greedy'],
    ['source="a b" method="beam" temperature="2"', '"temperature"', 'sample', 'beam'],
    ['source="a b" method="sample" show="tree"', 'show="tree"', 'beam', 'sample'],
  ])('write{%s} asks for what its method has not', async (attributes, what, needs, method) => {
    const sentence = `${what} goes with method="${needs}", not "${method}": change one of them.`;
    expect(await ofWriting(attributes)).toBe(placed(`0:1 In the directive "write", ${sentence}`, BODY));
  });

  it('write accepts the options of its method, or all if the method can be chosen', async () => {
    const good = [
      'source="a b"',
      'source="a b" method="beam" width="3" show="tree"',
      'source="a" temperature="0.5" choose',
    ];
    for (const attributes of good) expect(await ofWriting(attributes)).toBe('no complaint');
  });

  it.each(Object.entries(mistakes))('%j', async (body, message) => {
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
