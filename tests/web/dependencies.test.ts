// Dependencies within the page and the bindings, and the lengths of functions, read from the sources.
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
const UNITS = 'reply description trace guards session tasks programs convert embind native'.split(' ');

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
    expect(page.get('web/src/figures/host/tensor-saver.ts')).toContain('web/src/figures/host/tensor-file.ts'); // import()
    expect(page.get('web/src/lab/notice.ts')).toContain('web/src/messages/en/lab.ts'); // #messages
    expect(page.get('web/src/figures/views.ts')).toContain('web/src/figures/heads/offer.ts'); // import.meta.glob
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
    const offers = filesIn(['web/src/figures'], /\/offer\.ts$/);
    expect(page.get('web/src/figures/views.ts')).toEqual(expect.arrayContaining(offers));
    const fetched = [...page.get('web/src/bench/bench-views.ts')!, ...page.get('web/src/figures/sequence-views.ts')!];
    for (const view of offers.map((file) => figureOf(file)!)) {
      const element = `web/src/figures/${view}/${view}.ts`;
      expect(fetched).toContain(element);
      expect(read(`web/src/figures/${view}/offer.ts`)).toContain(`view: '${view}'`);
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
