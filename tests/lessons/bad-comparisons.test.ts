// A mistake in a comparison is reported at its own line and column.
import { describe, expect, it } from 'vitest';
import { readLesson } from '../../web/plugin/lesson';
import { BODY, complaint, HEAD, placed, context } from './bad-lesson';

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
    const sentence = expected.replace(/^\d+:\d+/, (at) => `${at} The YAML block of "compare"`);
    expect(await complaint(HEAD + compare(yaml))).toBe(placed(sentence, BODY));
  });
});
