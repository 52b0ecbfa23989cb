// How lessons end: every one has an ending, its links are of a lasting form, and a mistake is reported at its place.
import { describe, expect, it } from 'vitest';
import { hasBench } from '../../web/plugin/lesson';
import { lessonPage } from '../../web/plugin/page';
import { readLibrary } from '../../web/plugin/library';
import { BODY, complaint, ENDING, HEAD, placed } from './bad-lesson';

const OUT = /href="(https?:[^"]+)"/g;

describe('every lesson', async () => {
  const lessons = await readLibrary();
  it.each(lessons.map((lesson) => [lesson.slug, lesson] as const))('%s ends as it should', (_, { html, ending }) => {
    expect(ending.match(/<h2 id="what-to-take-away">/g)).toHaveLength(1);
    expect(/<ul>(.*?)<\/ul>/s.exec(ending)![1]!.match(/<li>/g)).toHaveLength(3);
    expect([...ending.matchAll(OUT)].length).toBeGreaterThan(0);
    expect([...html.matchAll(OUT)]).toEqual([]);
  });

  it('tells where to go next', () => {
    const [first, second] = lessons.filter(hasBench);
    const after = [second!.slug, second!.head.title, second!.head.summary] as const;
    const page = lessonPage(first!, { after }, { lines: { file: 'a', first: 1, last: 1 }, html: '' });
    expect(page).toMatch(/class="ending".*<nav class="next".*Next: One step of learning/s);
  });
});

describe('refused is', () => {
  const link = (url: string): string => ENDING.replace('https://arxiv.org/abs/1706.03762', url);
  const RULE =
    'use an address that lasts, with https and nothing after it: arxiv.org/abs/…, doi.org/10.…, aclanthology.org/…/, distill.pub/…/ or transformer-circuits.pub/…/index.html.';
  /** A change of the ending, where it is wrong, counted from the line of :::ending, and what is said. */
  const mistakes: [what: string, text: string, message: string][] = [
    ...[
      'http://arxiv.org/abs/1706.03762',
      'https://example.org/',
      'https://arxiv.org/abs/1706.03762?x=1',
      'https://arxiv.org/pdf/1706.03762',
      'https://a@arxiv.org/abs/1706.03762',
      'javascript:alert(1)',
      '//arxiv.org/abs/1706.03762',
    ].map((url): [string, string, string] => [
      url,
      link(url),
      `5:28 The YAML block of "ending": read.0.link is ${JSON.stringify(url)}; ${RULE}`,
    ]),
    [
      'two lines to take away',
      ENDING.replace(', Three.', ''),
      '2:12 The YAML block of "ending": take_away is ["One.","Two."]; use a list of at least 3.',
    ],
    [
      'no question',
      ENDING.replace(' question: Why?,', ''),
      '3:7 The YAML block of "ending" lacks "back.question": add it, as lessons/README.md describes.',
    ],
    [
      'a later lesson',
      ENDING.replace('to: softmax', 'to: four-words'),
      '0:1 The question of the ending reaches back to "four-words", which is not earlier: use softmax.',
    ],
    [
      'a lesson that there is not',
      ENDING.replace('to: softmax', 'to: cell'),
      '0:1 The question of the ending reaches back to "cell", which is no lesson: use softmax.',
    ],
    [
      'a link elsewhere, in a line to take away',
      ENDING.replace('One.', '"[One](https://example.org/)."'),
      '0:1 The link "https://example.org/" leaves the lessons: ',
    ],
    ['text after it', `${ENDING}\nMore.`, '9:1 The lesson goes on after its ending: move this before :::ending.'],
  ];
  it.each(mistakes)('%s', async (_, text, message) => {
    const said = await complaint(HEAD + text.trimStart());
    expect(said.startsWith(placed(message, BODY)), said).toBe(true);
  });

  it('a lesson without one', async () => {
    const { readLesson } = await import('../../web/plugin/lesson');
    const { context } = await import('./bad-lesson');
    await expect(readLesson('01-softmax', `${HEAD}Text.`, context)).rejects.toThrow(
      `lessons/01-softmax/lesson.md:${BODY}:6: The lesson has no ending: add :::ending at its end, as lessons/README.md describes.`,
    );
  });
});
