// Rules for all code, read from the sources: dependencies within the page and the bindings, the lengths of functions,
// and what no code of the page does: parse messages, format numbers its own way, or show text as HTML.
import { describe, expect, it } from 'vitest';
import {
  cppFunctions,
  filesIn,
  importsOf,
  inCircles,
  includesOf,
  quantile,
  read,
  tsFunctions,
  type Graph,
} from './sources';

/** Each folder of the page may import itself and those before it; the plugin, which builds the pages, comes last. */
const ROOMS = 'messages reader engine lab ui editor figures bench workbench lesson app plugin'.split(' ');
/** The layers of figures/: shared code, the host, each figure, and the loader. */
const FLOORS = ['shared', 'host', 'figure', 'loader'];
/** Each unit of the bindings may include itself, those before it, and the engine. */
const UNITS =
  'fields reply description trace guards session tasks matrices interventions programs members convert embind native'.split(
    ' ',
  );

/** Milliseconds; every source is parsed. */
const PATIENCE = 60_000;

const page = importsOf(filesIn(['web/src', 'web/plugin'], /\.m?[jt]s$/));
const bindings = includesOf(filesIn(['bindings'], /\.(h|cpp)$/));

const arrows = (graph: Graph): [from: string, to: string][] =>
  [...graph].flatMap(([from, all]) => all.map((to): [string, string] => [from, to]));

/** Imports from a place to a later one in `order`. */
const upward = (graph: Graph, order: readonly string[], placeOf: (file: string) => string | undefined): string[] =>
  arrows(graph)
    .filter(([from, to]) => {
      const [own, other] = [placeOf(from), placeOf(to)];
      return own !== undefined && other !== undefined && order.indexOf(other) > order.indexOf(own);
    })
    .map((arrow) => arrow.join(' → '));

const roomOf = (file: string): string | undefined => /^web\/(?:src\/)?(?!src\b)(\w+)\//.exec(file)?.[1];
const figureOf = (file: string): string | undefined => /^web\/src\/figures\/(\w+)\//.exec(file)?.[1];

function floorOf(file: string): string | undefined {
  if (!file.startsWith('web/src/figures/')) return undefined;
  const folder = figureOf(file) ?? 'loader';
  return FLOORS.includes(folder) ? folder : 'figure';
}

describe('dependencies', () => {
  it('are found in every syntax', () => {
    expect(page.size).toBeGreaterThan(200);
    expect(page.get('web/src/figures/host/figure.ts')).toContain('web/src/figures/host/contract.ts'); // import type
    expect(page.get('web/src/figures/host/export-menu.ts')).toContain('web/src/figures/host/tensor-file.ts'); // import()
    expect(page.get('web/src/lab/notice.ts')).toContain('web/src/messages/en/lab.ts'); // #messages
    expect(page.get('web/src/bench/bench-views.ts')).toContain('web/src/figures/heads/heads.ts'); // import.meta.glob
    expect(bindings.get('session')).toContain('guards');
    const graph = (...arrows: string[]): Graph => new Map(arrows.map((arrow) => [arrow[0]!, [...arrow.slice(1)]]));
    expect(inCircles(graph('ab', 'bc', 'cb'))).toEqual(['b', 'c']);
    expect(inCircles(graph('ab', 'bc', 'c'))).toEqual([]);
  });
  it('form no cycle', () => {
    expect(inCircles(page)).toEqual([]);
    expect(inCircles(bindings)).toEqual([]);
  });
  it('between folders of the page only point down', () => {
    expect([...page.keys()].map(roomOf).filter((room) => room && !ROOMS.includes(room))).toEqual([]);
    expect(upward(page, ROOMS, roomOf)).toEqual([]);
  });
  it('between layers of figures only point down, and no figure imports another', () => {
    expect(upward(page, FLOORS, floorOf)).toEqual([]);
    const between = arrows(page).filter(
      ([from, to]) => floorOf(from) === 'figure' && floorOf(to) === 'figure' && figureOf(from) !== figureOf(to),
    );
    expect(between).toEqual([]);
  });
  it('lead from the bench to every view, loaded when it is shown', () => {
    const elements = filesIn(['web/src/figures'], /\/([\w-]+)\/\1\.ts$/);
    expect(elements).toContain('web/src/figures/heads/heads.ts');
    const fetched = [...page.get('web/src/bench/bench-views.ts')!, ...page.get('web/src/figures/sequence-views.ts')!];
    for (const element of elements) {
      const view = figureOf(element)!;
      expect(fetched).toContain(element);
      expect(page.get('web/src/figures/views.ts')).toContain(`web/src/figures/${view}/offer.ts`);
      expect(read(element)).toContain(`customElements.define('u-${view}'`);
    }
  });
  it('between units of the bindings only point down', () => {
    expect([...bindings.keys()].sort()).toEqual([...UNITS].sort());
    expect(upward(bindings, UNITS, (unit) => unit)).toEqual([]);
  });
});

describe('functions are short', () => {
  const program = filesIn(['engine', 'bindings', 'web/src', 'web/plugin'], /\.(h|cpp|m?ts|mjs|css|sh)$/);

  for (const [language, form, lengthsIn] of [
    ['TypeScript', /\.m?ts$/, tsFunctions],
    ['C++', /\.(h|cpp)$/, cppFunctions],
  ] as const)
    it(`functions in ${language}`, { timeout: PATIENCE }, async ({ annotate }) => {
      const lengths = program.filter((file) => form.test(file)).flatMap((file) => lengthsIn(read(file)));
      const [median, most] = [quantile(lengths, 0.5), quantile(lengths, 0.9)];
      await annotate(`${lengths.length} functions, median ${median} lines, 90 % up to ${most}`);
      expect(lengths.length).toBeGreaterThan(500);
      expect(median).toBeLessThanOrEqual(8);
      expect(most).toBeLessThanOrEqual(25);
    });
  it('lengths of functions are measured', () => {
    expect(tsFunctions('function f() {\n}\nconst g = () =>\n  1;\nclass C { m() {} get x() {\nreturn 1;\n} }')).toEqual(
      [2, 2, 1, 3],
    );
    expect(
      cppFunctions('namespace a {\nint f(int x) {\n  if (x) { return 1; }\n  return 2;\n}\nint g() { return 0; }\n}'),
    ).toEqual([4, 1]);
    expect(cppFunctions('const int list[] = {1, 2};\nstruct S {\n  S() : a(1) {\n  }\n  int a{0};\n};')).toEqual([2]);
  });
});

const sources = filesIn(['web/src'], /\.ts$/).map((file) => [file.replace('web/src/', ''), read(file)] as const);

const filesWith = (pattern: RegExp): string[] =>
  sources
    .filter(([, text]) => pattern.test(text))
    .map(([name]) => name)
    .sort();

it('no code parses a message meant for people', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(filesWith(/\bmessage\??\.(startsWith|endsWith|includes|match|slice|replace|replaceAll|split)\(/)).toEqual([]);
  expect(filesWith(/\.(exec|test)\((\w+\.)*message\)/)).toEqual([]);
  expect(filesWith(/textContent!?\.(startsWith|includes|match|slice|replace|split)\(/)).toEqual([]);
});

it('numbers and lists are formatted in one place', () => {
  expect(filesWith(/\bIntl\.(?!Segmenter)|toLocaleString\(/)).toEqual(['messages/intl.ts']);
});

it('only text rendered by the build is shown as HTML', () => {
  expect(filesWith(/unsafeHTML|innerHTML|outerHTML|insertAdjacentHTML|TemplateStringsArray/)).toEqual([
    'bench/code/code.ts',
    'ui/built-html.ts',
  ]);
});

it('probabilities come from the engine: the page computes no exponential', () => {
  expect(filesWith(/\bMath\.(exp|expm1)\b/)).toEqual([]);
});

/** Loaded before anything is trained. */
const BEFORE_TRAINING = ['./legacy-database', '../merged'];
it('what the lab fetches on demand comes with the training panel: later there may be no network', () => {
  const fetched = (folder: string): string[] =>
    sources
      .filter(([name]) => name.startsWith(folder))
      .flatMap(([, text]) => [...text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, path]) => path!));
  const base = (path: string): string => path.split('/').at(-1)!;
  const wanted = fetched('lab/').filter((path) => !BEFORE_TRAINING.includes(path));
  expect([...new Set(wanted.map(base))].sort()).toEqual(fetched('bench/training/').map(base).sort());
});

it('scripts are run from the page’s own addresses alone', () => {
  expect(
    filesWith(
      /\bnew (Shared)?Worker\(|\b(?:serviceWorker|container)\.register\(|createElement\('script'\)|importScripts\(/,
    ),
  ).toEqual(['engine/client.ts', 'engine/offline.ts', 'workbench/long-reader.ts']);
  expect(filesWith(/(Worker|register)\((?!scriptAddress\()/)).toEqual([]);
});
