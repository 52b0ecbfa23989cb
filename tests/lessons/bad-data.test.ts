// A mistake in the YAML of a lesson is reported at its own line and column.
import { describe, expect, it } from 'vitest';
import { VIEWS } from '../../web/plugin/front-matter';
import { readLesson } from '../../web/plugin/lesson';
import { ALL, BODY, complaint, context, ENDING, HEAD, number, placed, task } from './bad-lesson';

/** "2:1 lacks …" → "2:1 The front matter lacks …", unless the sentence has a subject. */
const of = (subject: string, message: string): string =>
  message.replace(/^\d+:\d+(?=:| lacks| has| is not)/, (at) => `${at} ${subject}`);

/** "x×3" → "xxx", in a text whose name is to stay short. */
const spelt = (text: string): string => text.replace(/x×(\d+)/, (_, times) => 'x'.repeat(Number(times)));
const quoted = (name: string): string => `"${name}"`;
const XS = 'x'.repeat(38);

describe('in an exercise', () => {
  const bold = number().replace('No.', '"A <b>x</b>"');
  const whole = {
    [':::exercise{id="one"}\nDo it.\n:::']:
      '0:1 The directive "exercise" lacks its YAML block: add one between ```yaml and ``` inside it.',
    [task(number(), '')]: '0:1 The directive "exercise" lacks the attribute "id": add id="…".',
    [`${task(number())}\n${task(number())}`]: '12:1 The id "one" is used twice in this lesson: rename this one.',
    [task(bold)]: `0:1 Raw HTML (<b>) is not allowed in a lesson: use Markdown or a directive (${ALL}).`,
  };
  it.each(Object.entries(whole))('%j', async (body, message) => {
    expect(await complaint(HEAD + body)).toBe(placed(message, BODY));
  });

  /** The data of an exercise, or a line more in one that is right, and what is said of it. */
  const data = {
    'kind: guess': '4:7: kind is "guess"; use one of "goal", "number", "choose", "order", "write" or "code".',
    'kind: number\nanswer: α[0]\nsolution: [1]': '4:1 lacks "wrong": add it, as lessons/README.md describes.',
    'answers: 3': '8:1 has no "answers"; remove it or correct its name.',
    'kind: number\nanswer: α[0\nsolution: [1]\nwrong: [{ try: 1, why: No. }]':
      '5:9: answer is "α[0"; use an expression that can be read: an index needs “]” here.',
    'tolerance: small': '8:12: tolerance is "small"; use a number.',
    'given: { score: x×201 }': `8:17: given.score is "${XS}…; use a text of at most 200 characters.`,
    'given: { text: x×20001 }': `8:16: given.text is "${XS}…; use a text of at most 20000 characters.`,
    'given: { pair: [abc] }': '8:16 lacks "given.pair.1": add it, a text, in quotes if it is a number.',
    'given: { pair: [12+34, 46] }': '8:24: given.pair.1 is 46; use a text, in quotes if it is a number.',
    'given: { steps: -1 }': '8:17: given.steps is -1; use a whole number from 0 to 100000.',
    'kind: number\nanswer: written = 3\nsolution: [1]\nwrong: [{ try: 1, why: No. }]':
      '5:9: answer is "written = 3"; use an expression that can be read: “=” has no place here.',
    'kind: [number':
      '4:14 is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]; write one "name: value" a line.',
  };
  it.each(Object.entries(data))('%j', async (text, message) => {
    const yaml = text.startsWith('kind:') ? text : number(spelt(text));
    expect(await complaint(HEAD + task(yaml))).toBe(placed(of('The YAML block of "exercise"', message), BODY));
  });
});

describe('in the front matter', () => {
  /** Lines in place of the field that they begin with, or before the seed, and what is said of them. */
  const lines = {
    'seed: seven': '6:7: seed is "seven"; use a whole number from 0 to 4294967295.',
    'model: { temperature: 1 }':
      '5:8: model is {"temperature":1}; use settings that include a kind, like { kind: softmax }.',
    'show: ../lab#main':
      '7:7: show is "../lab#main"; use a file and a name in it, like engine/nn/attention/attention.h#attend.',
    'pair: [ab, ba]':
      '6:7: pair is ["ab","ba"]; use it with a model that has a task, like { kind: seq2seq, task: reverse }, or remove it.',
    'model: { kind: seq2seq, task: reverse }\npair: [x×1001, ba]': `6:8: pair.0 is "${XS}…; use a text of at most 1000 characters.`,
    'trained: { steps: 3, weights: a.safetensors }':
      '6:10: trained is {"steps":3,"weights":"a.safetensors"}; use it with a model that has a task, like { kind: seq2seq, task: reverse }, or remove it.',
    'model: { kind: seq2seq, task: reverse }\ntrained: { steps: 3, weights: b.safetensors }':
      '6:31: trained.weights is "b.safetensors"; use the name of a file beside the lesson, like reverse.safetensors; there is a.safetensors.',
    'model: { kind: seq2seq, task: reverse }\ntrained: { steps: 3, weights: ../a.safetensors }':
      '6:31: trained.weights is "../a.safetensors"; use the name of a file beside the lesson, like reverse.safetensors.',
    'model: { kind: seq2seq, task: reverse }\ntrained: { weights: a.safetensors }':
      '6:10 lacks "trained.steps": add it, as lessons/README.md describes.',
    'model: { kind: seq2seq, task: reverse }\nviews: [unrolled, heatmap]': `6:19: views.1 is "heatmap"; use one of ${VIEWS.slice(0, -1).map(quoted).join(', ')} or ${quoted(VIEWS.at(-1)!)}.`,
    'stage: board': '6:8: stage is "board"; use one of "picture", "numbers", "code" or "training".',
    'stage: training':
      '6:8: stage is "training"; use it with a model that has a task, like { kind: seq2seq, task: reverse }, or remove it.',
    'inputs: { e: [a, b] }': '6:15: inputs.e.0 is "a"; use a number, -inf or inf.',
    'colour: red': '6:1 has no "colour"; remove it or correct its name.',
    'board: [["*"]]':
      '8:10: board.0.0 is "*"; use the name of a tensor, like "α" or "attention/α" (no selectors: no #, *, >, brackets or quotes).',
    'expect: {}': '9:9: expect is {}; use at least one expression with its bound, like {"sum(α)": "~ 1"}.',
  };
  it.each(Object.entries(lines))('%j', async (given, message) => {
    const field = new RegExp(`^${given.split(':')[0]}:.*$`, 'm');
    const at = field.test(HEAD) ? field : /(?=^seed:)/m;
    const head = HEAD.replace(at, () => spelt(at === field ? given : `${given}\n`));
    expect(await complaint(head)).toBe(placed(of('The front matter', message)));
  });

  it.each(['title', 'seed'])('no %s', async (field) => {
    const lacks = `2:1 The front matter lacks "${field}": add it, as lessons/README.md describes.`;
    expect(await complaint(HEAD.replace(new RegExp(`^${field}:.*\n`, 'm'), ''))).toBe(placed(lacks));
  });

  it('none at all', async () => {
    const none =
      'The lesson does not begin with front matter: start with ---, its fields (title, part, summary, model, …)';
    expect(await complaint('Text.')).toBe(placed(`1:1 ${none} and ---.`));
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
    const { found, html } = await readLesson('01-softmax', HEAD + compare(yaml) + ENDING, context);
    expect(found.comparisons.two!.kind).toBe(kind);
    expect(found.anchors.map(({ name }) => name)).toEqual(anchors);
    expect(html).toMatch(/<u-compare [^>]*id="two"/);
  });

  const drawn = (more: string): string =>
    `kind: lengths\nsteps: 20\ndrawn: { ask: "Why *there*?" }\nlengths: [${more}]\n${RUNS}`;
  it('by length may be drawn first: what follows is folded up, up to the next thing to do', async () => {
    const text = `${HEAD}${compare(drawn('2, 4'))}\nThe answer.\n\n${compare(drawn('2, 4')).replace('two', 'three')}\nMore.\n\n## Next\n`;
    const { found, html } = await readLesson('01-softmax', text + ENDING, context);
    expect(found.comparisons.two).toMatchObject({ drawn: { ask: 'Why <em>there</em>?' } });
    const folded = [
      ...html.matchAll(/<details class="after">.*?<summary>(.*?)<\/summary>.*?<p>(.*?)<\/p>.*?<\/details>/gs),
    ];
    expect(folded.map(([, first, text]) => `${first}: ${text}`)).toEqual([
      'Draw and measure first, or read on here: The answer.',
      'Draw and measure first, or read on here: More.',
    ]);
  });
  it('to be drawn has room for six lengths', async () =>
    expect(await complaint(HEAD + compare(drawn('1, 2, 3, 4, 5, 6, 7')))).toBe(
      placed('1:1 A curve to be drawn has room for 6 lengths, not 7: leave some out.', BODY - 1),
    ));

  it('of trained models accepts long own texts', async () => {
    const text = 'the cat sat on the mat . '.repeat(40).trim();
    const yaml = `kind: training\nsteps: 20\nruns:\n  - { label: a, with: { text: ${text} } }\n  - { label: b, with: {} }`;
    const { found } = await readLesson('01-softmax', HEAD + compare(yaml) + ENDING, context);
    expect(found.comparisons.two!.runs[0]!.with).toEqual({ text });
  });

  const mistakes = {
    [`kind: speed\n${RUNS}`]: '4:7: kind is "speed"; use one of "values", "training", "lengths" or "lags".',
    'kind: training\nsteps: 9\nruns: [{ label: a, with: {} }]':
      '6:7: runs is [{"label":"a","with":{}}]; use a list of at least 2.',
    'of: α\nruns: [{ label: a, with: {} }, { label: a, with: {} }]':
      '5:7: runs is [{"label":"a","with":{}},{"label":"a","…; use runs with a different label each.',
    [`kind: training\n${RUNS}`]: '4:1 lacks "steps": add it, as lessons/README.md describes.',
    [`kind: training\nsteps: 9000\n${RUNS}`]: '5:8: steps is 9000; use a whole number from 2 to 5000.',
    'kind: training\nsteps: 9\nruns:\n  - { label: a, with: {} }\n  - { label: b, with: { "e[1]": 3 } }':
      '8:33: runs.1.with.e[1] is 3; use a setting of the model there, like attention.',
    [`kind: lengths\nover: depth\nsteps: 9\nlengths: [2, 4]\n${RUNS}`]: '5:7: over is "depth"; use "length" or "lag".',
    [`kind: lengths\nsteps: 9\nlengths: [4, 2]\n${RUNS}`]:
      '6:10: lengths is [4,2]; use lengths in ascending order, without repeats.',
    [`kind: lengths\nsteps: 9\nlengths: [4, 64]\n${RUNS}`]: '6:14: lengths.1 is 64; use a whole number from 1 to 63.',
    [`kind: lengths\nsteps: 9\nlengths: [2, 4]\nseeds: [3]\n${RUNS}`]: '7:8: seeds is [3]; use a list of at least 2.',
    [`kind: lengths\nsteps: 9\nlengths: [2, 4]\nseeds: [3, 3]\n${RUNS}`]:
      '7:8: seeds is [3,3]; use seeds without repeats.',
    'kind: lengths\nsteps: 9\nlengths: [2, 4]\nruns: [{ label: a, with: { steps: 0 } }]':
      '7:35: runs.0.with.steps is 0; use a whole number from 1 to 5000.',
    [`kind: lags\nof: ∂cell.0.t0/h\n${RUNS}`]: `5:5: of is "∂cell.0.t0/h"; ${PATTERN}`,
    [`kind: lags\nof: "#cell{t}"\n${RUNS}`]: `5:5: of is "#cell{t}"; ${PATTERN}`,
    [`kind: lags\nof: "h{t}"\nsteps: 9\n${RUNS}`]: '6:1 has no "steps"; remove it or correct its name.',
  };
  it.each(Object.entries(mistakes))('with %j is refused', async (yaml, expected) => {
    expect(await complaint(HEAD + compare(yaml))).toBe(placed(of('The YAML block of "compare"', expected), BODY));
  });
});
