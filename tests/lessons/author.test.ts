// Feedback while an author writes a lesson: wrong figures and solutions are reported, and an unreadable lesson does not
// affect the others.
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Plugin } from 'vite';
import { startCheck } from '../../web/plugin/check-saved';
import { withNavigation } from '../../web/plugin/contents';
import { openLibrary } from '../../web/plugin/library';
import config from '../../web/vite.config';
import { fromRoot } from '../bindings/modules';
import { BODY, ENDING, HEAD, number } from './bad-lesson';

/** A folder of lessons with these texts. */
function folderOf(texts: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'lessons-'));
  cpSync(fromRoot('lessons/glossary.yaml'), join(folder, 'glossary.yaml'));
  writeFileSync(join(folder, 'ending.md'), '---\ntitle: The end\nsummary: What is left.\n---\n## Open\n');
  for (const [slug, text] of Object.entries(texts)) {
    mkdirSync(join(folder, slug));
    writeFileSync(join(folder, slug, 'lesson.md'), text);
  }
  return folder;
}

it('a wrong figure and a wrong solution are reported when the lesson is saved', { timeout: 300_000 }, async () => {
  const exercise = `:::exercise{id="half"}\nDo it.\n\n\`\`\`yaml\n${number()}\`\`\`\n:::\n`;
  const text = `${HEAD}It is :value[0.9]{of="α[0]"}.\n\n${exercise}${ENDING}`;
  const UNROLL_LESSONS_FOLDER = folderOf({ '01-softmax': text });
  const lines: string[] = [];
  const check = startCheck('softmax', (line) => lines.push(line), { UNROLL_LESSONS_FOLDER });
  await new Promise((ends) => check.on('close', ends));
  const file = 'lessons/01-softmax/lesson.md';
  expect(lines).toContain(`${file}:${BODY}:7: The figure is 0.9, but "α[0]" gives 0.3: write that, or correct "of".`);
  expect(lines.find((line) => line.startsWith(`${file}:${BODY + 2}:1: `))).toMatch(
    /The solution "0\.5" of "half" is not accepted: 0\.5 is too large\./,
  );
  expect(lines.at(-1)).toMatch(/^\d+ checks passed, \d+ failed$/);
});

it('the development page has that check, the built one does not', () => {
  const plugins = (config.plugins ?? []).flat() as Plugin[];
  expect(plugins.filter(({ name }) => name === 'unroll:check-saved').map(({ apply }) => apply)).toEqual(['serve']);
});

it('an unreadable lesson is listed with its mistake, beside the others', async () => {
  const library = await openLibrary(
    folderOf({ '02-bad': HEAD.replace('seed: 1', 'seed: x'), '03-softmax': HEAD + ENDING.replace('softmax', 'bad') }),
  );
  expect(library.lessons.map(({ slug }) => slug)).toEqual(['softmax']);
  expect(library.lessons[0]!.number).toBe(2);
  const page = withNavigation('<!-- contents -->', library, '');
  expect(page).toContain('<a href="./lessons/softmax/">A lesson</a>');
  expect(page).toMatch(/<a href="\.\/lessons\/bad\/">bad<\/a>.*lessons\/02-bad\/lesson\.md:6:7: /);
});
