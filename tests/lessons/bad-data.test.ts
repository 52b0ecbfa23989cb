// A mistake in the YAML of a lesson is reported at its own line and column.
import { describe, expect, it } from 'vitest';
import { readLesson } from '../../web/plugin/lesson';
import { ALL, BODY, complaint, context, HEAD, number, placed, task } from './bad-lesson';

/** "2:1 lacks …" → "2:1 The front matter lacks …", unless the sentence has a subject. */
const of = (subject: string, message: string): string =>
  message.replace(/^\d+:\d+(?=:| lacks| has| is not)/, (at) => `${at} ${subject}`);

describe('in an exercise', () => {
  const whole: Record<string, [body: string, complaint: string]> = {
    'no data': [
      ':::exercise{id="one"}\nDo it.\n:::',
      '0:1 The directive "exercise" lacks its YAML block: add one between ```yaml and ``` inside it.',
    ],
    'no id': [task(number(), ''), '0:1 The directive "exercise" lacks the attribute "id": add id="…".'],
    'an id twice': [
      task(number()) + '\n' + task(number()),
      '12:1 The id "one" is used twice in this lesson: rename this one.',
    ],
    'raw HTML in an explanation': [
      task('kind: number\nanswer: α[0]\nsolution: [1]\nwrong: [{ try: 1, why: "A <b>x</b>" }]'),
      `0:1 Raw HTML (<b>) is not allowed in a lesson: use Markdown or a directive (${ALL}).`,
    ],
  };
  it.each(Object.entries(whole))('%s', async (_, [body, message]) => {
    expect(await complaint(HEAD + body)).toBe(placed(message, BODY));
  });

  const data: Record<string, [yaml: string, complaint: string]> = {
    'an unknown kind': [
      'kind: guess',
      '4:7: kind is "guess"; use one of "goal", "number", "choose", "order", "write" or "code".',
    ],
    'a missing field': [
      'kind: number\nanswer: α[0]\nsolution: [1]',
      '4:1 lacks "wrong": add it, as lessons/README.md describes.',
    ],
    'an unknown field': [number('answers: 3'), '8:1 has no "answers"; remove it or correct its name.'],
    'a bad expression': [
      'kind: number\nanswer: α[0\nsolution: [1]\nwrong: [{ try: 1, why: No. }]',
      '5:9: answer is "α[0"; use an expression that can be read: an index needs “]” here.',
    ],
    'a number in words': [number('tolerance: small'), '8:12: tolerance is "small"; use a number.'],
    'a setting that is too long': [
      number(`given: { score: ${'x'.repeat(201)} }`),
      `8:17: given.score is "${'x'.repeat(38)}…; use a text of at most 200 characters.`,
    ],
    'an own text that is too long': [
      number(`given: { text: ${'x'.repeat(20_001)} }`),
      `8:16: given.text is "${'x'.repeat(38)}…; use a text of at most 20000 characters.`,
    ],
    'a pair with only one text': [
      number('given: { pair: [abc] }'),
      '8:16 lacks "given.pair.1": add it, a text, in quotes if it is a number.',
    ],
    'a pair of numbers': [
      number('given: { pair: [12+34, 46] }'),
      '8:24: given.pair.1 is 46; use a text, in quotes if it is a number.',
    ],
    'training backwards': [
      number('given: { steps: -1 }'),
      '8:17: given.steps is -1; use a whole number from 0 to 100000.',
    ],
    'a sign of another language': [
      'kind: number\nanswer: written = 3\nsolution: [1]\nwrong: [{ try: 1, why: No. }]',
      '5:9: answer is "written = 3"; use an expression that can be read: “=” has no place here.',
    ],
    'invalid YAML': [
      'kind: [number',
      '4:14 is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; write one "name: value" a line.',
    ],
  };
  it.each(Object.entries(data))('%s', async (_, [yaml, message]) => {
    expect(await complaint(HEAD + task(yaml))).toBe(placed(of('The YAML block of "exercise"', message), BODY));
  });
});

describe('in the front matter', () => {
  const without = (field: string): string => HEAD.replace(new RegExp(`^${field}:.*\n`, 'm'), '');
  const as = (field: string, value: string): string =>
    HEAD.replace(new RegExp(`^${field}:.*$`, 'm'), `${field}: ${value}`);
  const withTask = (line: string): string => as('model', `{ kind: seq2seq, task: reverse }\n${line}`);
  const cases: Record<string, [head: string, complaint: string]> = {
    'none at all': [
      'Text.',
      '1:1 The lesson does not begin with front matter: start with ---, its fields (title, part, summary, model, …) and ---.',
    ],
    'no title': [without('title'), '2:1 lacks "title": add it, as lessons/README.md describes.'],
    'no seed': [without('seed'), '2:1 lacks "seed": add it, as lessons/README.md describes.'],
    'a seed in words': [as('seed', 'seven'), '6:7: seed is "seven"; use a whole number from 0 to 4294967295.'],
    'a model without its kind': [
      as('model', '{ temperature: 1 }'),
      '5:8: model is {"temperature":1}; use settings that include a kind, like { kind: softmax }.',
    ],
    'a place outside the engine': [
      as('show', '../lab#main'),
      '7:7: show is "../lab#main"; use a file and a name in it, like engine/nn/attention/attention.h#attend.',
    ],
    'a pair for a model without a task': [
      HEAD.replace('seed:', 'pair: [ab, ba]\nseed:'),
      '6:7: pair is ["ab","ba"]; use it with a model that has a task, like { kind: seq2seq, task: reverse }, or remove it.',
    ],
    'a pair that is too long': [
      withTask(`pair: [${'a'.repeat(1001)}, ba]`),
      `6:8: pair.0 is "${'a'.repeat(38)}…; use a text of at most 1000 characters.`,
    ],
    'weights for a model without a task': [
      HEAD.replace('seed:', 'trained: { steps: 3, weights: a.safetensors }\nseed:'),
      '6:10: trained is {"steps":3,"weights":"a.safetensors"}; use it with a model that has a task, like { kind: seq2seq, task: reverse }, or remove it.',
    ],
    'weights that are not there': [
      withTask('trained: { steps: 3, weights: b.safetensors }'),
      '6:31: trained.weights is "b.safetensors"; use the name of a file beside the lesson, like reverse.safetensors; there is a.safetensors.',
    ],
    'weights from elsewhere': [
      withTask('trained: { steps: 3, weights: ../a.safetensors }'),
      '6:31: trained.weights is "../a.safetensors"; use the name of a file beside the lesson, like reverse.safetensors.',
    ],
    'weights without their steps': [
      withTask('trained: { weights: a.safetensors }'),
      '6:10 lacks "trained.steps": add it, as lessons/README.md describes.',
    ],
    'a view that does not exist': [
      withTask('views: [unrolled, heatmap]'),
      '6:19: views.1 is "heatmap"; use one of "alignment", "blocks", "dataflow", "generation", "heads", "mask", "permute", "picture", "positions" or "unrolled".',
    ],
    'an input that is not a list of numbers': [
      HEAD.replace('seed:', 'inputs: { e: [a, b] }\nseed:'),
      '6:15: inputs.e.0 is "a"; use a number, -inf or inf.',
    ],
    'an unknown field': [
      HEAD.replace('seed:', 'colour: red\nseed:'),
      '6:1 has no "colour"; remove it or correct its name.',
    ],
    'a selector on the board': [
      as('board', '[["*"]]'),
      '8:10: board.0.0 is "*"; use the name of a tensor, like "α" or "attention/α" (no selectors: no #, *, >, brackets or quotes).',
    ],
    'nothing expected': [
      as('expect', '{}'),
      '9:9: expect is {}; use at least one expression with its bound, like {"sum(α)": "~ 1"}.',
    ],
  };

  it.each(Object.entries(cases))('%s', async (_, [head, message]) => {
    expect(await complaint(head)).toBe(placed(of('The front matter', message)));
  });
});

// A mistake in a comparison is reported at its own line and column.

const compare = (yaml: string): string => `:::compare{id="two"}\nLook.\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n:::\n`;
const RUNS = 'runs: [{ label: a, with: {} }, { label: b, with: { temperature: 2 } }]';
const PATTERN = 'use the name of a tensor with {t} where its position stands, like "∂cell.0.t{t}/h".';

describe('a comparison', () => {
  const kinds: [kind: string, yaml: string, anchors: string[]][] = [
    ['values', `of: α\n${RUNS}`, ['α']],
    ['training', `kind: training\nsteps: 20\n${RUNS}`, []],
    ['lengths', `kind: lengths\nsteps: 20\nlengths: [2, 4]\n${RUNS}`, []],
    ['lags', `kind: lags\nof: "∂cell.0.t{t}/h"\n${RUNS}`, ['∂cell.0.t0/h']],
  ];
  it.each(kinds)('of the kind %s is read', async (kind, yaml, anchors) => {
    const { found, html } = await readLesson('01-softmax', HEAD + compare(yaml), context);
    expect(found.comparisons.two!.kind).toBe(kind);
    expect(found.anchors.map(({ name }) => name)).toEqual(anchors);
    expect(html).toMatch(/<u-compare [^>]*id="two"/);
  });

  it('of trained models accepts long own texts', async () => {
    const text = 'the cat sat on the mat . '.repeat(40).trim();
    const yaml = `kind: training\nsteps: 20\nruns:\n  - { label: a, with: { text: ${text} } }\n  - { label: b, with: {} }`;
    const { found } = await readLesson('01-softmax', HEAD + compare(yaml), context);
    expect(found.comparisons.two!.runs[0]!.with).toEqual({ text });
  });

  const cases: Record<string, [yaml: string, complaint: string]> = {
    'an unknown kind': [
      `kind: speed\n${RUNS}`,
      '4:7: kind is "speed"; use one of "values", "training", "lengths" or "lags".',
    ],
    'one run': [
      'kind: training\nsteps: 9\nruns: [{ label: a, with: {} }]',
      '6:7: runs is [{"label":"a","with":{}}]; use a list of at least 2.',
    ],
    'two runs with the same label': [
      'of: α\nruns: [{ label: a, with: {} }, { label: a, with: {} }]',
      '5:7: runs is [{"label":"a","with":{}},{"label":"a","…; use runs with a different label each.',
    ],
    'no steps': [`kind: training\n${RUNS}`, '4:1 lacks "steps": add it, as lessons/README.md describes.'],
    'too many steps': [
      `kind: training\nsteps: 9000\n${RUNS}`,
      '5:8: steps is 9000; use a whole number from 2 to 5000.',
    ],
    'an edit in a training': [
      'kind: training\nsteps: 9\nruns:\n  - { label: a, with: {} }\n  - { label: b, with: { "e[1]": 3 } }',
      '8:33: runs.1.with.e[1] is 3; use a setting of the model there, like attention.',
    ],
    'unsorted lengths': [
      `kind: lengths\nsteps: 9\nlengths: [4, 2]\n${RUNS}`,
      '6:10: lengths is [4,2]; use lengths in ascending order, without repeats.',
    ],
    'a length above the maximum': [
      `kind: lengths\nsteps: 9\nlengths: [4, 64]\n${RUNS}`,
      '6:14: lengths.1 is 64; use a whole number from 1 to 63.',
    ],
    'no placeholder for the position': [
      `kind: lags\nof: ∂cell.0.t0/h\n${RUNS}`,
      `5:5: of is "∂cell.0.t0/h"; ${PATTERN}`,
    ],
    'a selector': [`kind: lags\nof: "#cell{t}"\n${RUNS}`, `5:5: of is "#cell{t}"; ${PATTERN}`],
    'a field of another kind': [
      `kind: lags\nof: "h{t}"\nsteps: 9\n${RUNS}`,
      '6:1 has no "steps"; remove it or correct its name.',
    ],
  };
  it.each(Object.entries(cases))('with %s is refused', async (_, [yaml, expected]) => {
    expect(await complaint(HEAD + compare(yaml))).toBe(placed(of('The YAML block of "compare"', expected), BODY));
  });
});
