// Queries, keys and values as arrows: what is read of a trace, the shape that the values span, and where a tip is taken.
import { describe, expect, it } from 'vitest';
import { apart, arrowAt, inside, layOutArrows, panelOf, spansOf } from '../../web/src/figures/arrows/arrows-drawing';
import { ArrowsScene, angleBetween, hullOf } from '../../web/src/figures/arrows/arrows-scene';
import { nameOf } from '../../web/src/messages/en/figures/arrows';
import { planarAttentions } from '../../web/src/figures/shared/attention/attention-trace';
import { BAHDANAU, flowIn, LAYER, runOf, sentences } from './views-engine';

const LOOK = { kind: 'lookup', Q: [2, 0], K: [1, 0, 0, 1, -1, 0], V: [1, 0, 0, 1, -1, -1] };
const NAMES = ['a', 'b', 'c'];
const ROOM = { width: 700, maxHeight: Infinity, zoom: 1, line: 13 };

async function sceneOf(config: object): Promise<ArrowsScene> {
  const run = await runOf(config);
  const look = { flow: flowIn(run), row: 0, head: 0, heads: 1, names: NAMES };
  return new ArrowsScene(
    look,
    (node) => node && run.values.get(node.id),
    undefined,
    '',
    () => undefined,
  );
}

describe('what is read', () => {
  it('is the query, the keys and the values, with the scores, weights and context of the engine', async () => {
    const scene = await sceneOf(LOOK);
    expect(scene.arrows.map(({ of, name, x, y, index }) => [of, name, x, y, index])).toEqual([
      ['query', 'query', 2, 0, 0],
      ['key', 'a', 1, 0, 0],
      ['key', 'b', 0, 1, 2],
      ['key', 'c', -1, 0, 4],
      ['value', 'a', 1, 0, 0],
      ['value', 'b', 0, 1, 2],
      ['value', 'c', -1, -1, 4],
    ]);
    expect(scene.scores).toEqual([2, 0, -2]);
    expect(scene.weights!.map((weight) => weight.toFixed(4))).toEqual(['0.8668', '0.1173', '0.0159']);
    expect([scene.context!.x.toFixed(4), scene.context!.y.toFixed(4)]).toEqual(['0.8509', '0.1014']);
    expect(scene.keys.map((key) => scene.angleTo(key))).toEqual([0, 90, 180]);
  });
  it('is said in words, and in a table with a row for each arrow and one for the context', async () => {
    const scene = await sceneOf(LOOK);
    expect(scene.tell()).toContain('Key b has length 1.00, 90° from the query: score 0, weight 0.12.');
    expect(scene.tell()).toContain('The context (0.85, 0.10) lies inside the shape that the values span.');
    expect(scene.table().rows.map(({ heads, tensor }) => [heads[0], tensor])).toEqual([
      ['query', 'Q'],
      ...NAMES.map((name) => [`key ${name}`, 'K']),
      ...NAMES.map((name) => [`value ${name}`, 'V']),
      ['context', 'attention/c'],
    ]);
  });
  it('does not say "key" twice where the lesson’s names do', () => {
    expect([nameOf('key', 'key a'), nameOf('value', 'key a')]).toEqual(['key a', 'value of key a']);
    expect([nameOf('key', 'b'), nameOf('value', 'b')]).toEqual(['key b', 'value b']);
  });
  it('is the keys alone where the values have more numbers', async () => {
    const scene = await sceneOf({ kind: 'lookup', value_size: 5 });
    expect(scene.arrows.map(({ of }) => of)).toEqual(['query', 'key', 'key', 'key']);
    expect([scene.context, scene.table().rows.length]).toEqual([undefined, 4]);
  });
  it('is every query of a decoder, and nothing of models with longer vectors', async () => {
    const small = { ...BAHDANAU, score: 'dot', project_queries: 'linear', project_keys: 'linear', attention_size: 2 };
    const names = planarAttentions((await runOf(small, sentences(4, 3))).trace).map(({ name }) => name);
    expect(names).toEqual([0, 1, 2].map((t) => `decoder.t${t}.attention/α`));
    expect(planarAttentions((await runOf(LAYER)).trace)).toEqual([]);
  });
});

describe('geometry', () => {
  it('a hull leaves out what lies between its corners', () => {
    const at = (x: number, y: number) => ({ x, y });
    expect(hullOf([at(0, 0), at(4, 0), at(2, 0), at(1, 1), at(4, 4), at(0, 4)])).toEqual([
      at(0, 0),
      at(4, 0),
      at(4, 4),
      at(0, 4),
    ]);
    expect(hullOf([at(1, 1), at(0, 0)])).toHaveLength(2);
  });
  it('a vector of length 0 has no direction', () => {
    expect(angleBetween({ x: 0, y: 0 }, { x: 1, y: 0 })).toBeNull();
    expect(angleBetween({ x: 1e-3, y: 1e-3 }, { x: 5, y: 5 })).toBeCloseTo(0, 4);
  });
});

describe('the panels', () => {
  it('stand where their arrows are longer: beside each other, or one above the other', async () => {
    const scene = await sceneOf(LOOK);
    const placed = (room: object) => layOutArrows(scene, spansOf(scene), { ...ROOM, ...room }).panels;
    const [left, right] = placed({ maxHeight: 360 });
    expect([left!.y === right!.y, right!.x >= left!.x + left!.width]).toEqual([true, true]);
    const [above, below] = placed({ width: 328 });
    expect([above!.x, above!.width, below!.x, below!.y > above!.y + above!.height]).toEqual([0, 328, 0, true]);
  });
  it('show the origin and every tip, and keep a tip that is dragged beyond them at their edge', async () => {
    const scene = await sceneOf(LOOK);
    const layout = layOutArrows(scene, spansOf(scene), { ...ROOM, maxHeight: 300 });
    for (const arrow of scene.arrows) {
      const { x, y, width, height, zero, unit } = panelOf(layout, arrow);
      const [px, py] = [zero.x + arrow.x * unit, zero.y - arrow.y * unit];
      expect([px > x, px < x + width, py > y, py < y + height]).toEqual([true, true, true, true]);
      expect([zero.x > x, zero.y > y]).toEqual([true, true]);
    }
    const panel = layout.panels[0]!;
    expect(inside(panel, { x: 0.126, y: -0.5 })).toEqual({ x: 0.13, y: -0.5 });
    const far = inside(panel, { x: 1e5, y: -1e5 });
    expect(far.x).toBeCloseTo((panel.x + panel.width - panel.zero.x) / panel.unit, 1);
    expect(far.y).toBeCloseTo((panel.zero.y - panel.y - panel.height) / panel.unit, 1);
  });
  it('move a label that would cover another to the nearest free place', () => {
    const label = { text: 'key', width: 40, role: 'key' };
    const box = { x: 0, y: 0, width: 200, height: 100 };
    const at = (...points: [number, number][]): number[][] =>
      apart(
        points.map(([x, y]) => ({ ...label, x, y })),
        box,
        13,
      ).map(({ x, y }) => [x, y]);
    expect(at([50, 40], [100, 40], [150, 41])).toEqual([
      [50, 40],
      [100, 40],
      [150, 41],
    ]);
    expect(at([50, 40], [60, 42], [70, 45])).toEqual([
      [50, 40],
      [60, 53],
      [70, 27],
    ]);
    expect(at([50, 98], [60, 99])).toEqual([
      [50, 98],
      [60, 85],
    ]);
  });
  it('take the nearest tip', async () => {
    const scene = await sceneOf(LOOK);
    const layout = layOutArrows(scene, spansOf(scene), ROOM);
    const panel = panelOf(layout, scene.keys[1]!);
    expect(arrowAt(scene, layout, panel.zero.x + 5, panel.zero.y - panel.unit - 5)).toBe(2);
    expect(arrowAt(scene, layout, panel.x + 2, panel.y + panel.height - 2)).toBeNull();
  });
});
