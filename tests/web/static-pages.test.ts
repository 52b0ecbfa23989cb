// The pages that are written by hand have no text of their own: each comes from messages/ at build time.
import { expect, test } from 'vitest';
import { withTexts } from '../../web/plugin/static-pages';
import { LANGUAGE } from '../../web/src/messages/en/language';
import * as all from '../../web/src/messages/en/static-pages';
import { read } from './sources';
import { textsIn } from './texts';

const PAGES = ['index.html', 'workbench/index.html', 'offline.html'].map((name) => read(`web/${name}`));
const NAME = /\{\{(\w+)\}\}/g;
const namesIn = (page: string): string[] => [...page.matchAll(NAME)].map(([, name]) => name!);

test('the pages name every text, and no other', () => {
  expect([...new Set(PAGES.flatMap(namesIn))].sort()).toEqual(['LANGUAGE', ...Object.keys(all)].sort());
  for (const page of PAGES) expect(withTexts(page)).toContain(`<html lang="${LANGUAGE}">`);
  expect(() => withTexts('<p>{{NO_SUCH_TEXT}}</p>')).toThrow('NO_SUCH_TEXT');
});

test('and no text stands in them', () => {
  for (const page of PAGES) {
    expect(textsIn(`html\`${page.replace(NAME, '')}\``)).toEqual([]);
    expect(page).not.toMatch(/name="description" content="(?!\{\{)/);
  }
});
