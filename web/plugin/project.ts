// What the pages say of the project: its version, where its source is, and how to cite it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './library';

interface Citation {
  title: string;
  authors: readonly { name: string }[];
  'date-released': string;
}

interface Package {
  version: string;
  repository?: string;
}

const text = (file: string): string => readFileSync(join(root, file), 'utf8');

const manifest = JSON.parse(text('web/package.json')) as Package;

export const version = manifest.version;

/** The address of the source, without which no page links to it. A fork's build sets UNROLL_REPOSITORY. */
export const repository = process.env.UNROLL_REPOSITORY || manifest.repository;

export const readYaml = (file: string): unknown => parse(text(file));

export const citation = (): Citation => readYaml('.github/CITATION.cff') as Citation;

export const licence = (): string => text('LICENSE');
