// The page "About": what the project says of itself, its version, and an entry for a bibliography.
import * as texts from '#messages/pages';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { escape } from '../src/ui/escape';
import { NOTICES } from './notices';
import { htmlPage } from './page';
import { root } from './library';

/** @param source Address of the source, if there is one. */
export function aboutPage(source = repository): string {
  const text = `<h1>${texts.ABOUT_TITLE}</h1>
        <p class="lead">${texts.ABOUT_SUMMARY}</p>
        <h2>${texts.WHO}</h2>
        <p>${texts.WHO_MAKES_IT}</p>
        <h2>${texts.YOUR_WORK}</h2>
        <p>${texts.WHERE_WORK_STAYS}</p>
        <h2>${texts.SOURCE_AND_LICENCE}</h2>
        <p>${texts.thisVersion(escape(version))}${source ? ` ${texts.sourceAt(link(source))}` : ''}</p>
        <p>${texts.LICENCE}</p>
        <p>${texts.allLicences(`<a href="../../${NOTICES}">${NOTICES}</a>`)}</p>
        <h2>${texts.CITE}</h2>
        <p>${texts.HOW_TO_CITE}</p>
        <pre tabindex="0" aria-label="${texts.BIBTEX}"><code>${escape(bibtex(source))}</code></pre>`;
  return htmlPage({ title: texts.ABOUT_TITLE, summary: texts.ABOUT_SUMMARY, text });
}

const link = (address: string): string => `<a href="${escape(address)}">${escape(address)}</a>`;

function bibtex(source?: string): string {
  const { title, authors, 'date-released': date } = citation();
  const fields = {
    author: authors.map(({ name }) => `{${name}}`).join(' and '),
    title,
    version,
    year: date.slice(0, 4),
    ...(source && { url: source }),
  };
  const lines = Object.entries(fields).map(([name, value]) => `  ${name} = {${value}}`);
  return `@software{unroll,\n${lines.join(',\n')}\n}`;
}

interface Citation {
  title: string;
  authors: readonly { name: string }[];
  'date-released': string;
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8');

const manifest = JSON.parse(text('web/package.json')) as { version: string; repository?: string };

export const { version } = manifest;

/** The address of the source, without which no page links to it. A fork's build sets UNROLL_REPOSITORY. */
export const repository = process.env.UNROLL_REPOSITORY || manifest.repository;

export const readYaml = (file: string): unknown => parse(text(file));

export const citation = (): Citation => readYaml('.github/CITATION.cff') as Citation;
