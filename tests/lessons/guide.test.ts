// The author's guide, the schema for editors and the registry agree.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type * as v from 'valibot';
import { comparison } from '../../web/src/lesson/format/comparisons';
import { ending } from '../../web/plugin/ending';
import { DIRECTIVES } from '../../web/plugin/directives';
import { LOOK_DIRECTIVES } from '../../web/plugin/look';
import { tensorName } from '../../web/src/lesson/format/fields';
import { VIEWS, frontMatter, labels as labelsOfTensor } from '../../web/plugin/front-matter';
import { concordance } from '../../web/plugin/concordance';
import { readGlossary, termsOf } from '../../web/plugin/glossary';
import { readLesson } from '../../web/plugin/lesson';
import { readContext } from '../../web/plugin/library';
import { task } from '../../web/src/lesson/format/tasks';
import { OF_TASK } from '../../web/src/lesson/facts';
import { fromRoot } from '../bindings/modules';

const guide = readFileSync(fromRoot('lessons/README.md'), 'utf8');
const schema = JSON.parse(readFileSync(fromRoot('lessons/schema.json'), 'utf8'));

/** What the plugin reads from the file that an exercise names is not written in its block. */
const FROM_FILE = 'function';

type Fields = { entries: Record<string, v.GenericSchema> };
const fields = (object: unknown): { all: string[]; required: string[] } => {
  const { entries } = object as Fields;
  const all = Object.keys(entries)
    .filter((name) => name !== FROM_FILE)
    .sort();
  return { all, required: all.filter((name) => entries[name]!.type !== 'optional') };
};
const described = ({ properties, required }: { properties: object; required: string[] }) => ({
  all: Object.keys(properties).sort(),
  required: [...required].sort(),
});

describe('the guide', () => {
  it('shows a complete, valid lesson', async () => {
    const example = /````markdown\n([^]*?)````/.exec(guide)![1]!;
    const lesson = await readLesson('01-softmax', example, readContext());
    expect(Object.keys(lesson.found.tasks)).toEqual(['even-out']);
  });

  it.each(Object.entries({ ...LOOK_DIRECTIVES, ...DIRECTIVES }))(
    'names %s and its attributes',
    (name, { attributes, form }) => {
      expect(guide).toContain(form === 'inline' ? `:${name}[` : `| \`${name}\` |`);
      if (form === 'block') {
        const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))!;
        for (const attribute of Object.keys(attributes.entries)) expect(row).toContain(`\`${attribute}\``);
      }
    },
  );

  it('names every measure and text of expressions', () => {
    for (const name of OF_TASK) expect(guide).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('names every field of the front matter', () => {
    for (const name of fields(frontMatter).all) expect(guide).toMatch(new RegExp(`^\\| .*\`${name}\``, 'm'));
  });

  it('names every view of the bench', () => {
    for (const view of VIEWS) expect(guide).toContain(`| \`${view}\` |`);
  });
});

/** A kind that may be left out is optional. */
const nameOf = ({ kind }: (typeof comparison.options)[number]['entries']): string =>
  'wrapped' in kind ? kind.wrapped.literal : kind.literal;

describe("the editors' schema", () => {
  it('knows the same names of tensors', () => {
    const regex = tensorName.pipe.find((part) => part.type === 'regex')!;
    expect(schema.$defs.tensor.pattern).toBe(regex.requirement.source);
  });
  it('knows the labels of a tensor', () => {
    const { labels } = schema.properties;
    expect(described(labels.additionalProperties)).toEqual(fields(labelsOfTensor));
  });
  it('has the fields of the front matter', () => expect(described(schema)).toEqual(fields(frontMatter)));
  it('has the fields of an ending', () => {
    const { back, read } = ending.entries;
    const { properties } = schema.$defs.ending;
    expect(described(schema.$defs.ending)).toEqual(fields(ending));
    expect(described(properties.back)).toEqual(fields(back));
    expect(described(properties.read.items)).toEqual(fields(read.item));
  });
  it.each(comparison.options.map((kind) => [nameOf(kind.entries), kind] as const))(
    'has the fields of %s',
    (name, kind) => {
      expect(described(schema.$defs[name])).toEqual(fields(kind));
    },
  );
  it.each(task.options.map((kind) => [kind.entries.kind.literal, kind] as const))(
    'has the fields of %s',
    (name, kind) => {
      expect(described(schema.$defs[name])).toEqual(fields(kind));
    },
  );
});

describe('the glossary', () => {
  it('can be read', () => expect(readContext().glossary.get('weights')?.role).toBe('weight'));
  it('names what papers and the engine call the same', () => {
    const rows = concordance(termsOf(readContext().glossary)).split('<tr role="row">').slice(2);
    const named = rows.map((row) => /href="#([^"]+)"/.exec(row)![1]);
    expect(named).toEqual(expect.arrayContaining(['score', 'query', 'key', 'value', 'mask', 'head', 'temperature']));
    expect(rows.find((row) => row.includes('#attention-weights'))).toMatch(
      /<mi>α<.mi>.*<mi>a<.mi><mi>t<.mi>.*softmax.*<code>attention\/α<.code>/s,
    );
  });
  it('has no table of names without them', () =>
    expect(concordance(termsOf(readGlossary('a:\n  means: One.\n', 'glossary.yaml')))).toBe(''));
  const mistakes = {
    'a:\n  means: No full stop\n':
      '2:10: The glossary: a.means is "No full stop"; use one sentence that ends in its only full stop.',
    'a:\n  means: One. Two.\n':
      '2:10: The glossary: a.means is "One. Two."; use one sentence that ends in its only full stop.',
    'a:\n  means: One.\n  role: king\n':
      '3:9: The glossary: a.role is "king"; use one of the roles input, parameter, state, score, weight or gradient.',
    'a:\n  means: One.\n  code: [attend, attennd]\n':
      '3:18: The glossary: a.code.1 is "attennd"; use a class, a function or the path of a tensor that occurs in a source under engine/.',
    'a:\n  means: One.\n  code: [attention/ω]\n':
      '3:10: The glossary: a.code.0 is "attention/ω"; use a class, a function or the path of a tensor that occurs in a source under engine/.',
    'a:\n  means: One.\n  papers: { Luong: $h$ }\n':
      '3:13: The glossary has no "Luong"; remove it or correct its name.',
    'a:\n  role: state\n': '2:3: The glossary lacks "a.means": add it, as lessons/README.md describes.',
  };
  it.each(Object.entries(mistakes))('%j is refused', (yaml, message) =>
    expect(() => readGlossary(yaml, 'lessons/glossary.yaml')).toThrow(`lessons/glossary.yaml:${message}`),
  );
});
