// Lessons once had their number in their name, and some have become a part of another one. Addresses, links and kept work from
// then lead to where the lesson is now.

/** Lessons that are a section of another one now. */
export const MERGED: Readonly<Record<string, readonly [lesson: string, section: string]>> = {
  'two-wirings': ['score-functions', 'when-does-the-decoder-look'],
};

/** Sections and tasks that stand in another lesson now, under the same id or the one after "#": by the lesson that they were in. */
export const MOVED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'recurrent-cell': {
    ...{
      gates: 'gates#how-can-a-cell-keep-a-value',
      'the-lstm-a-memory-beside-the-state': 'gates',
      'always-keep': 'gates',
      hold: 'gates',
    },
    ...{ count: 'gates', 'gru-cell-in-code': 'gates', 'lstm-cell-in-code': 'gates' },
  },
};

/** Each has a page that leads to the lesson. */
export const OLD_NAMES: readonly string[] = [
  ...['01-softmax', '02-recurrent-cell', '03-seq2seq', '04-teacher-forcing', '05-decoding', '06-bottleneck'],
  ...['07-vanishing-gradients', '08-looking-back', '09-two-wirings', '10-score-functions', '11-alignment'],
  ...['12-language-model', '13-pictures', '14-query-key-value', '15-four-words', '16-order', '17-masks'],
  ...['18-many-heads', '19-attention-in-a-convnet', '20-the-block', '21-encoder-decoder', '22-language-model'],
  '23-attention-today',
  ...Object.keys(MERGED),
];

/** Two old names differed in their number alone. */
export const withoutNumber = (name: string): string =>
  name === '12-language-model' ? 'recurrent-language-model' : name.replace(/^\d\d-/, '');

/** The name of the lesson now; other names stay as they are. */
export const newName = (name: string): string => MERGED[withoutNumber(name)]?.[0] ?? withoutNumber(name);

/** Whether it is only a part of the lesson now. */
export const isMerged = (name: string): boolean => withoutNumber(name) in MERGED;

/** The section of the lesson now that was a lesson of this name; '' for the whole lesson. */
export const newSection = (name: string): string => MERGED[withoutNumber(name)]?.[1] ?? '';

/** The lesson in which a task of that lesson is now. */
export const lessonNow = (lesson: string, task: string): string =>
  MOVED[withoutNumber(lesson)]?.[task]?.split('#')[0] ?? newName(lesson);

/** The address of a section that has moved, from the lesson that it was in; null: it has not. */
export function movedTo(lesson: string, fragment: string): string | null {
  const [now, section = fragment.slice(1)] = MOVED[lesson]?.[fragment.slice(1)]?.split('#') ?? [];
  return now === undefined ? null : `../${now}/#${section}`;
}
