// The directive `write`: the source, the decoding method with its settings, and what is shown of the result.
import { WRITE } from '#messages/pages';
import type { PhrasingContent, RootContent } from 'mdast';
import * as v from 'valibot';
import { matching, text } from '../src/lesson/format/fields';
import { box } from './markdown';
import type { LessonRecord } from './lesson-record';

const within = (rule: string, holds: (value: number) => boolean) =>
  v.pipe(
    matching(/^\d+(\.\d+)?$/, rule),
    v.check((value) => holds(Number(value)), rule),
  );
const whole = (least: number, most: number) =>
  within(`a whole number from ${least} to ${most}`, (x) => Number.isInteger(x) && x >= least && x <= most);

export const writing = {
  source: text(400),
  method: v.optional(v.picklist(['greedy', 'beam', 'sample'], '"greedy", "beam" or "sample"'), 'greedy'),
  show: v.optional(v.picklist(['text', 'alignment', 'tree', 'samples'], '"text", "alignment", "tree" or "samples"')),
  width: v.optional(whole(1, 64)),
  length_normalisation: v.optional(within('a number from 0 to 2', (x) => x <= 2)),
  temperature: v.optional(within('a number from 0.001 to 100', (x) => x >= 0.001 && x <= 100)),
  top_k: v.optional(whole(1, 1 << 15)),
  top_p: v.optional(within('a number above 0, up to 1', (x) => x > 0 && x <= 1)),
  choose: v.optional(v.literal('', 'choose alone, without a value')),
};
type Writing = v.InferOutput<v.StrictObjectSchema<typeof writing, undefined>>;

const BELONGS = {
  width: 'beam',
  length_normalisation: 'beam',
  temperature: 'sample',
  top_k: 'sample',
  top_p: 'sample',
} as const;
const SHOWS: Partial<Record<string, string>> = { tree: 'beam', samples: 'sample' };

/** Refuses attributes that would have no effect. */
function check(attributes: Writing, lesson: LessonRecord): void {
  const { method, show, choose } = attributes;
  const refuse = (what: string, needs: string): never =>
    lesson.fail(`In the directive "write", ${what} goes with method="${needs}", not "${method}": change one of them.`);
  for (const [key, needs] of Object.entries(BELONGS))
    if (attributes[key as keyof typeof BELONGS] !== undefined && method !== needs && choose === undefined)
      refuse(`"${key}"`, needs);
  const needed = show && SHOWS[show];
  if (needed && needed !== method) refuse(`show="${show}"`, needed);
}

export function renderWriting(
  attributes: Writing,
  children: (RootContent | PhrasingContent)[],
  lesson: LessonRecord,
): RootContent {
  check(attributes, lesson);
  const { source, method, show, width, length_normalisation, temperature, top_k, top_p, choose } = attributes;
  return box(
    'u-write',
    {
      dataSource: source,
      dataMethod: method,
      dataShow: show,
      dataWidth: width,
      dataLengthNormalisation: length_normalisation,
      dataTemperature: temperature,
      dataTopK: top_k,
      dataTopP: top_p,
      dataChoose: choose,
    },
    WRITE,
    children,
  );
}
