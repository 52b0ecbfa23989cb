// Vite plugin: the texts of the pages that are written by hand, and the page that is shown offline.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { LANGUAGE } from '#messages/language';
import * as texts from '#messages/static-pages';
import { root } from './library';

const TEXTS: Readonly<Record<string, string>> = { LANGUAGE, ...texts };
const OFFLINE = 'offline.html';

/** The page with a text in the place of each name: "{{HOME_TITLE}}". */
export const withTexts = (page: string): string => page.replace(/\{\{(\w+)\}\}/g, (_, name: string) => textOf(name));

function textOf(name: string): string {
  const text = TEXTS[name];
  if (text === undefined)
    throw new Error(`A page names the text ${name}, which messages/static-pages.ts does not have.`);
  return text;
}

export function staticPages(): Plugin {
  return {
    name: 'unroll:static-pages',
    transformIndexHtml: {
      order: 'pre',
      handler: (html, { path }) => (path.startsWith('/lessons/') ? html : withTexts(html)),
    },
    /** It answers for a page of any depth, so it refers to no other file: no script, no style, no icon. */
    generateBundle() {
      const page = readFileSync(join(root, 'web', OFFLINE), 'utf8');
      this.emitFile({ type: 'asset', fileName: OFFLINE, source: withTexts(page) });
    },
  };
}
