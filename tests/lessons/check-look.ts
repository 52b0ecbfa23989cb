// Checks what a lesson without a model says of the translator: what it writes under each change, and the prediction.
import { describe, expect, it } from 'vitest';
import type { Lesson } from '../../web/plugin/lesson';
import { LessonProblem, type Place } from '../../web/plugin/problem';
import { modelOf, openTranslator, translatingIn } from '../../web/plugin/translator';
import { changedWords, changeOf, largest, placeOf, write, type Written } from '../../web/src/app/front/writing';
import { allLessons } from './read';

export function checkLook({ found }: Lesson): void {
  const opened = allLessons().then((lessons) => modelOf(translatingIn(lessons)!));
  const translator = opened.then(openTranslator);

  const say = (place: Place, sentence: string): never => {
    throw new LessonProblem(found.file, place, sentence);
  };
  const source = async (): Promise<string[]> => (await opened).source.split(' ');
  const under = async (place: Place, change: Parameters<typeof changeOf>[0]): Promise<Written> => {
    const [read, { words }] = await translator;
    try {
      return (await write(read, words, changeOf(change, await source(), words)))!;
    } catch (error) {
      return say(place, (error as Error).message);
    }
  };

  it.each(found.shown)(
    'the translator shows $text (at $at, hide $hide, pull $pull)',
    async ({ text, at, place, ...change }) => {
      const { words, weights } = await under(place, change);
      const shown = at ? (await source())[largest(weights[placeOf(at, words)]!)] : words.join(' ');
      if (shown !== text) say(place, `The text says "${text}", and the translator shows "${shown}": write that.`);
    },
  );

  describe.each(Object.entries(found.foretold))('%s', (id, { hide, options }) => {
    it('accepts exactly one option, and explains each', async () => {
      const [, own] = await translator;
      const changed = changedWords(own.words, (await under(found.taskPlaces[id]!, { hide })).words);
      expect(options.filter(({ when }) => when === changed)).toHaveLength(1);
      expect(new Set(options.map(({ why }) => why)).size).toBe(options.length);
    });
  });
}
