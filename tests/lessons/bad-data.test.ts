// A mistake in the YAML of a lesson is reported at its own line and column.
import { describe, expect, it } from 'vitest';
import { ALL, BODY, complaint, HEAD, number, placed, task } from './bad-lesson';

describe('in an exercise', () => {
  const cases: Record<string, [body: string, complaint: string]> = {
    'no data': [
      ':::exercise{id="one"}\nDo it.\n:::',
      '0:1 The directive "exercise" lacks its YAML block: add one between ```yaml and ``` inside it.',
    ],
    'no id': [task(number(), ''), '0:1 The directive "exercise" lacks the attribute "id": add id="…".'],
    'an id twice': [
      task(number()) + '\n' + task(number()),
      '12:1 The id "one" is used twice in this lesson: rename this one.',
    ],
    'an unknown kind': [
      task('kind: guess'),
      '4:7 The YAML block of "exercise": kind is "guess"; use one of "goal", "number", "choose", "order", "write" or "code".',
    ],
    'a missing field': [
      task('kind: number\nanswer: α[0]\nsolution: [1]'),
      '4:1 The YAML block of "exercise" lacks "wrong": add it, as lessons/README.md describes.',
    ],
    'an unknown field': [
      task(number('answers: 3')),
      '8:1 The YAML block of "exercise" has no "answers"; remove it or correct its name.',
    ],
    'a bad expression': [
      task('kind: number\nanswer: α[0\nsolution: [1]\nwrong: [{ try: 1, why: No. }]'),
      '5:9 The YAML block of "exercise": answer is "α[0"; use an expression that can be read: an index needs “]” here.',
    ],
    'a number in words': [
      task(number('tolerance: small')),
      '8:12 The YAML block of "exercise": tolerance is "small"; use a number.',
    ],
    'raw HTML in an explanation': [
      task('kind: number\nanswer: α[0]\nsolution: [1]\nwrong: [{ try: 1, why: "A <b>x</b>" }]'),
      `0:1 Raw HTML (<b>) is not allowed in a lesson: use Markdown or a directive (${ALL}).`,
    ],
    'a setting that is too long': [
      task(number(`given: { score: ${'x'.repeat(201)} }`)),
      `8:17 The YAML block of "exercise": given.score is "${'x'.repeat(38)}…; use a text of at most 200 characters.`,
    ],
    'an own text that is too long': [
      task(number(`given: { text: ${'x'.repeat(20_001)} }`)),
      `8:16 The YAML block of "exercise": given.text is "${'x'.repeat(38)}…; use a text of at most 20000 characters.`,
    ],
    'a pair with only one text': [
      task(number('given: { pair: [abc] }')),
      '8:16 The YAML block of "exercise" lacks "given.pair.1": add it, a text, in quotes if it is a number.',
    ],
    'a pair of numbers': [
      task(number('given: { pair: [12+34, 46] }')),
      '8:24 The YAML block of "exercise": given.pair.1 is 46; use a text, in quotes if it is a number.',
    ],
    'training backwards': [
      task(number('given: { steps: -1 }')),
      '8:17 The YAML block of "exercise": given.steps is -1; use a whole number from 0 to 100000.',
    ],
    'a sign of another language': [
      task('kind: number\nanswer: written = 3\nsolution: [1]\nwrong: [{ try: 1, why: No. }]'),
      '5:9 The YAML block of "exercise": answer is "written = 3"; use an expression that can be read: “=” has no place here.',
    ],
    'invalid YAML': [
      task('kind: [number'),
      '4:14 The YAML block of "exercise" is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; write one "name: value" a line.',
    ],
  };

  it.each(Object.entries(cases))('%s', async (_, [body, message]) => {
    expect(await complaint(HEAD + body)).toBe(placed(message, BODY));
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
    'no title': [without('title'), '2:1 The front matter lacks "title": add it, as lessons/README.md describes.'],
    'no seed': [without('seed'), '2:1 The front matter lacks "seed": add it, as lessons/README.md describes.'],
    'a seed in words': [
      as('seed', 'seven'),
      '6:7 The front matter: seed is "seven"; use a whole number from 0 to 4294967295.',
    ],
    'a model without its kind': [
      as('model', '{ temperature: 1 }'),
      '5:8 The front matter: model is {"temperature":1}; use settings that include a kind, like { kind: softmax }.',
    ],
    'a place outside the engine': [
      as('show', '../lab#main'),
      '7:7 The front matter: show is "../lab#main"; use a file and a name in it, like engine/nn/attention/attention.h#attend.',
    ],
    'a pair for a model without a task': [
      HEAD.replace('seed:', 'pair: [ab, ba]\nseed:'),
      '6:7 The front matter: pair is ["ab","ba"]; use it with a model that has a task, like { kind: seq2seq, task: reverse }, or remove it.',
    ],
    'a pair that is too long': [
      withTask(`pair: [${'a'.repeat(1001)}, ba]`),
      `6:8 The front matter: pair.0 is "${'a'.repeat(38)}…; use a text of at most 1000 characters.`,
    ],
    'weights for a model without a task': [
      HEAD.replace('seed:', 'trained: { steps: 3, weights: a.safetensors }\nseed:'),
      '6:10 The front matter: trained is {"steps":3,"weights":"a.safetensors"}; use it with a model that has a task, like { kind: seq2seq, task: reverse }, or remove it.',
    ],
    'weights that are not there': [
      withTask('trained: { steps: 3, weights: b.safetensors }'),
      '6:31 The front matter: trained.weights is "b.safetensors"; use the name of a file beside the lesson, like reverse.safetensors; there is a.safetensors.',
    ],
    'weights from elsewhere': [
      withTask('trained: { steps: 3, weights: ../a.safetensors }'),
      '6:31 The front matter: trained.weights is "../a.safetensors"; use the name of a file beside the lesson, like reverse.safetensors.',
    ],
    'weights without their steps': [
      withTask('trained: { weights: a.safetensors }'),
      '6:10 The front matter lacks "trained.steps": add it, as lessons/README.md describes.',
    ],
    'a view that does not exist': [
      withTask('views: [unrolled, heatmap]'),
      '6:19 The front matter: views.1 is "heatmap"; use one of "alignment", "blocks", "dataflow", "generation", "heads", "mask", "permute", "picture", "positions" or "unrolled".',
    ],
    'an input that is not a list of numbers': [
      HEAD.replace('seed:', 'inputs: { e: [a, b] }\nseed:'),
      '6:15 The front matter: inputs.e.0 is "a"; use a number, -inf or inf.',
    ],
    'an unknown field': [
      HEAD.replace('seed:', 'colour: red\nseed:'),
      '6:1 The front matter has no "colour"; remove it or correct its name.',
    ],
    'a selector on the board': [
      as('board', '[["*"]]'),
      '8:10 The front matter: board.0.0 is "*"; use the name of a tensor, like "α" or "attention/α" (no selectors: no #, *, >, brackets or quotes).',
    ],
    'nothing expected': [
      as('expect', '{}'),
      '9:9 The front matter: expect is {}; use at least one expression with its bound, like {"sum(α)": "~ 1"}.',
    ],
  };

  it.each(Object.entries(cases))('%s', async (_, [head, message]) => {
    expect(await complaint(head)).toBe(placed(message));
  });
});
