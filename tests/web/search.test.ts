// What the search finds among everything that the build lists, whether each hit leads to a place that there is, and what it weighs.
import { brotliCompressSync } from 'node:zlib';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { glossaryPage } from '../../web/plugin/text-pages';
import { openLibrary, type Library } from '../../web/plugin/library';
import { guidePage } from '../../web/plugin/guide';
import { entriesOf } from '../../web/plugin/search-index';
import type { Entry } from '../../web/src/app/search/entry';
import { isOneOff, SearchIndex, wordsOf } from '../../web/src/app/search/rank';
import { fromRoot } from '../bindings/modules';

let library: Library;
let entries: Entry[];
let index: SearchIndex;
beforeAll(async () => {
  library = await openLibrary();
  entries = await entriesOf(library);
  index = new SearchIndex(entries);
}, 60_000);

const first = (query: string): string[] =>
  index
    .find(query)
    .slice(0, 3)
    .map(({ address }) => address);

const word = (anchor: string): string => `lessons/glossary/#${anchor}`;
const operation = (name: string): string => `lessons/write/#function-${name}`;

/** What a reader of papers, or of an error, may type, and where it should lead. */
const WANTED: readonly [query: string, address: string][] = [
  ['softmax', word('softmax')],
  ['alignment model', word('score-function')],
  ['compatibility function', word('score-function')],
  ['alignment score', word('score')],
  ['<bos>', word('bos')],
  ['<sos>', word('bos')],
  ['end-of-sequence', word('eos')],
  ['value', word('value')],
  ['Bahdanau', word('additive-attention')],
  ['Luong', word('multiplicative-attention')],
  ['QKV', 'lessons/query-key-value/'],
  ['scaled dot product', word('scaled-dot-product')],
  ['temperature', word('temperature')],
  ['teacher forcing', 'lessons/teacher-forcing/'],
  ['exposure bias', word('exposure-bias')],
  ['beam', word('beam-search')],
  ['nucleus sampling', word('top-p')],
  ['BLEU', word('bleu')],
  ['positional encoding', word('sinusoidal-positions')],
  ['RoPE', word('rotary-positions')],
  ['residual stream', word('residual-stream')],
  ['skip connection', word('residual-connection')],
  ['pre-norm', word('pre-norm')],
  ['layernorm', word('layer-norm')],
  ['KV cache', word('kv-cache')],
  ['GQA', word('grouped-query-attention')],
  ['causal mask', word('causal-mask')],
  ['look-ahead mask', word('causal-mask')],
  ['padding', word('padding')],
  ['vanishing gradient', 'lessons/vanishing-gradients/'],
  ['LSTM', word('lstm')],
  ['forget gate', word('forget-gate')],
  ['bottleneck', 'lessons/bottleneck/'],
  ['context vector', word('context-vector')],
  ['annotation', word('memory')],
  ['matmul', operation('matmul')],
  ['logsumexp', operation('logsumexp')],
  ['masked_fill', operation('masked_fill')],
  ['something is wrong', 'lessons/write/#when-something-is-wrong'],
  ['perplexity', word('perplexity')],
  ['cross entropy', word('cross-entropy')],
  ['embedding', word('embedding')],
  ['tied weights', word('tied-embedding')],
  ['induction head', word('induction-head')],
  ['attention sink', word('attention-sink')],
  ['flash attention', word('flashattention')],
  ['why divide by the root', 'lessons/score-functions/#why-divide-by-the-root'],
];

describe('a search', () => {
  it.each(WANTED)('for "%s" has %s among its first three hits', (query, address) =>
    expect(first(query)).toContain(address),
  );

  it.each([
    ['sotfmax', word('softmax')],
    ['atention', word('attention')],
    ['vanishng gradient', word('vanishing-gradient')],
    ['bahdanua', word('additive-attention')],
    ['perplexitty', word('perplexity')],
    ['bottlenec', word('bottleneck')],
    ['matmull', operation('matmul')],
  ])('for "%s", wrong by a letter, finds %s', (query, address) => expect(first(query)).toContain(address));

  it('finds each kind of thing', () => {
    const kinds = new Set(entries.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['exercise', 'lesson', 'model', 'operation', 'page', 'section', 'word']);
    expect(index.find('transformer language model')[0]).toMatchObject({
      kind: 'model',
      title: 'Transformer language model',
    });
  });

  it('finds nothing for nothing, nor for what there is not', () => {
    for (const query of ['', '   ', '<>', 'qqqqqq', '\u0000', '"%$']) expect(index.find(query)).toEqual([]);
  });

  it('bears whatever is typed or pasted', () => {
    for (const query of [
      'a'.repeat(10_000),
      'a '.repeat(500),
      '__proto__',
      'constructor toString',
      '(((',
      '\\',
      'ﬁ é ß 注意',
    ])
      expect(index.find(query).length).toBeLessThanOrEqual(10);
  });

  it('answers within a few milliseconds', () => {
    const begun = performance.now();
    for (const [query] of WANTED) index.find(query);
    expect((performance.now() - begun) / WANTED.length).toBeLessThan(50);
  });
});

it('every hit leads to a place that there is', async () => {
  const pages = new Map<string, string>([
    ['lessons/glossary/', glossaryPage(library.lessons, library.context.glossary)],
    ['lessons/write/', guidePage(await library.guide())],
    ['lessons/ending/', ''],
    ['workbench/', ''],
    ...library.lessons.map(({ slug, html, ending }): [string, string] => [`lessons/${slug}/`, html + ending]),
  ]);
  for (const { address } of entries) {
    const [path, anchor] = address.split('#') as [string, string?];
    expect(pages.has(path), address).toBe(true);
    if (anchor && path !== 'workbench/') expect(pages.get(path), address).toContain(`id="${anchor}"`);
  }
  expect(new Set(entries.map(({ address }) => address)).size).toBe(entries.length);
});

it('names are compared without case, accents and marks', () => {
  expect(wordsOf('Scaled dot-product, <SOS>, naïve_α')).toEqual(['scaled', 'dot', 'product', 'sos', 'naive', 'α']);
});

it.each([
  ['softmax', 'sofmax', true],
  ['softmax', 'softtmax', true],
  ['softmax', 'siftmax', true],
  ['softmax', 'sotfmax', true],
  ['softmax', 'softma', true],
  ['softmax', 'sfotamx', false],
  ['softmax', 'soft', false],
  ['gru', 'lstm', false],
])('%s and %s differ by one letter: %s', (a, b, one) => {
  expect(isOneOff(a, b)).toBe(one);
  expect(isOneOff(b, a)).toBe(one);
});

const assets = fromRoot('build/site/assets');
const inSite = existsSync(assets)
  ? readdirSync(assets).filter((name) => /^search-dialog-.*\.(?:js|css)$/.test(name))
  : [];

it.skipIf(!inSite.length)('weighs at most 60 KB, with the code that searches', () => {
  const sizes = inSite.map((name) => brotliCompressSync(readFileSync(`${assets}/${name}`)).length);
  expect(sizes.reduce((all, size) => all + size, 0)).toBeLessThan(60_000);
});
