// The picture that a captioner reads, with the attention of the words of its caption or of one of its places. Each field
// gets a frame as thick as its weight; it is lighter the more weight it has, and darker the less. A frame of weight 1
// fills only the margin of a field, which no shape covers, so shapes stay visible under any weight.
import { type TemplateResult, html, nothing, svg } from 'lit';
import * as texts from '#messages/figures/picture';
import { notReached } from '#messages/figures/shared';
import type { TraceNode, Trace } from '../../engine/types';
import { fixed } from '../../ui/numbers';
import { onceForEach } from '../../lab/cursor';
import { type Table, type TableRow, matrixRows } from '../host/table';
import { argmax } from '../shared/summary';
import type { Box } from '../shared/geometry';
import type { Extent, Part } from '../host/contract';
import { frame } from '../shared/cells';
import { EMPTY, sprite } from './picture-palette';

export interface PictureChoice {
  /** Index of the caption's word, and of the picture's place. */
  at: number;
  place: number;
  /** Shows the weights of a place instead of a word's. */
  between: boolean;
}

export class PictureScene {
  constructor(
    readonly attention: PictureAttention,
    readonly choice: PictureChoice,
    readonly caption: readonly string[],
    /** What is at each place of the picture. */
    private readonly there: readonly string[] | undefined,
    private readonly reached: (node: TraceNode) => Float32Array | undefined,
  ) {}

  /** The attention weights on show. */
  get node(): TraceNode | undefined {
    const { placeWeights, wordWeights } = this.attention;
    return this.choice.between ? placeWeights : wordWeights[this.choice.at];
  }

  get places(): number {
    return this.attention.grid.rows * this.attention.grid.columns;
  }

  get pixels(): Float32Array | undefined {
    return this.reached(this.attention.picture);
  }

  /** One weight per place; undefined until the cursor has passed them. */
  weightsOf(node: TraceNode | undefined, place = this.choice.place): Float32Array | undefined {
    const from = this.choice.between ? place * this.places : 0;
    return node && this.reached(node)?.subarray(from, from + this.places);
  }

  /** A place, and what is there. */
  where(place: number): string {
    const { columns } = this.attention.grid;
    const there = this.there?.[place];
    return texts.placeAt(Math.floor(place / columns), place % columns, there === EMPTY ? texts.EMPTY : there);
  }

  /** A field for the painter: what is there, and how much of it the word on show sees. */
  tellField(place: number): string {
    const weight = this.weightsOf(this.node)?.[place];
    return weight === undefined ? this.where(place) : texts.weighs(this.where(place), fixed(weight, 2));
  }

  /** Of the word at `at`, or of the place there. */
  tellCell(at: number): string {
    const { between } = this.choice;
    const weights = this.weightsOf(between ? this.node : this.attention.wordWeights[at], at);
    const who = between ? this.where(at) : this.caption[at]!;
    if (!weights) return notReached(who);
    const best = argmax([...weights]);
    return texts.attendsMostWith(who, this.where(best), fixed(weights[best]!, 2));
  }

  tell(): string {
    if (this.choice.between) return this.tellCell(this.choice.place);
    const glance = (node: TraceNode, t: number): string => {
      const weights = this.weightsOf(node);
      const word = this.caption[t]!;
      return weights ? texts.attendsMostTo(word, this.where(argmax([...weights]))) : notReached(word);
    };
    return texts.inSentences(this.attention.wordWeights.map(glance));
  }

  /** The weights on show, as the places lie. */
  table(caption: string): Table {
    const { rows, columns } = this.attention.grid;
    const weights = this.weightsOf(this.node);
    const cell = (index: number) => ({ index, value: weights?.[index] });
    return {
      caption,
      tensor: this.node?.name,
      head: ['', ...Array(columns).keys()],
      rows: matrixRows([...Array(rows).keys()], columns, (r, c) => cell(r * columns + c)),
    };
  }

  /** The weights of every word, or of the place, one row each. */
  allWeights(caption: string): Table {
    const { columns } = this.attention.grid;
    const { wordWeights, placeWeights } = this.attention;
    const row = (who: string | undefined, node: TraceNode): TableRow => ({
      heads: [who],
      cells: [...(this.weightsOf(node) ?? [])],
    });
    return {
      caption,
      head: [texts.WHO, ...Array.from({ length: this.places }, (_, i) => `${Math.floor(i / columns)}.${i % columns}`)],
      rows: this.choice.between
        ? [row(this.where(this.choice.place), placeWeights!)]
        : wordWeights.map((node, t) => row(this.caption[t], node)),
    };
  }
}

export type PictureAttention = NonNullable<ReturnType<typeof readPicture>>;

/** null for a model without attention over a picture. */
export const readPicture = onceForEach((trace: Trace) => {
  const named = (name: RegExp): TraceNode[] =>
    trace.nodes.filter((node) => node.phase === 'forward' && name.test(node.name));
  const picture = named(/^picture$/)[0];
  /** α of each word; and α between places, if they attend to each other. */
  const wordWeights = named(/^decoder\.t\d+\.attention\/α$/);
  const placeWeights = named(/(^|\.)grid_attention\/α$/).at(0);
  const count = (wordWeights[0] ?? placeWeights)?.shape.at(-1);
  return picture && count ? { picture, wordWeights, placeWeights, grid: gridOf(count) } : null;
});

/** The grid of a feature map, as square as its number of places allows. */
export function gridOf(places: number): Extent {
  let rows = Math.floor(Math.sqrt(places));
  while (places % rows) rows--;
  return { rows, columns: places / rows };
}

export const placeBox = ({ rows, columns }: Extent, place: number, side: number): Box => ({
  x: ((place % columns) * side) / columns,
  y: (Math.floor(place / columns) * side) / rows,
  width: side / columns,
  height: side / rows,
});

/** Side of the picture at the largest whole-number scale that fits, at least 1. */
export function sideFor(pixels: number, width: number, max: number): number {
  return pixels * Math.max(1, Math.floor(Math.min(width, max) / pixels));
}

/** RGBA bytes of a picture (3, H, W) with values in [0, 1]; `pixels` is H · W. */
export function rgbaOf(values: ArrayLike<number>, pixels: number): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(4 * pixels);
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < 3; c++) rgba[4 * i + c] = Math.round(255 * (values[c * pixels + i] ?? 0));
    rgba[4 * i + 3] = 255;
  }
  return rgba;
}

/** The place at a point of the picture; null outside. */
export function placeAt({ rows, columns }: Extent, side: number, x: number, y: number): number | null {
  const [row, column] = [Math.floor((y * rows) / side), Math.floor((x * columns) / side)];
  return row >= 0 && column >= 0 && row < rows && column < columns ? row * columns + column : null;
}

/** Frame thickness at weight 1, as a fraction of the field width. */
const THICKEST = 1 / 8;
/** Opacity of the light at weight 1, and of the dark at weight 0. */
const LIGHTEST = 0.3;
const DARKEST = 0.5;

/** A field of the picture; `weight` undefined: not reached yet. Its weight is written out if `line` is its text size. */
function field(box: Box, weight: number | undefined, line: number | null): TemplateResult {
  if (weight === undefined) return frame('hollow', box);
  const thick = weight * THICKEST * box.width;
  const { x, y, width, height } = box;
  // by the root of the weight: small weights differ most to the eye
  const light = Math.sqrt(Math.max(0, Math.min(1, weight)));
  const over = (name: string, opacity: number): TemplateResult =>
    svg`<rect class=${name} x=${x} y=${y} width=${width} height=${height} fill-opacity=${opacity}></rect>`;
  return svg`${over('shade', DARKEST * (1 - light))} ${over('veil', LIGHTEST * light)} ${frame('edge', box)}
    <rect class="frame" x=${x + thick / 2} y=${y + thick / 2} width=${width - thick} height=${height - thick} stroke-width=${thick}></rect>
    ${line === null ? nothing : written(x + width / 2, y + height / 2, weight, line)}`;
}

const written = (x: number, y: number, weight: number, line: number): TemplateResult =>
  svg`<rect class="plate" x=${x - line * 1.25} y=${y - line * 0.7} width=${line * 2.5} height=${line * 1.4} rx="2"></rect>
    <text class="number" text-anchor="middle" x=${x} y=${y + line * 0.35}>${fixed(weight, 2)}</text>`;

/** All places with the weights on show; the place `here` framed. */
export function fields(scene: PictureScene, side: number, line: number | null, here: number | null): Part {
  const weights = scene.weightsOf(scene.node);
  const boxes = Array.from({ length: scene.places }, (_, i) => placeBox(scene.attention.grid, i, side));
  return svg`${boxes.map((box, i) => svg`<g>${field(box, weights?.[i], line)}</g>`)}
    ${here === null ? nothing : frame('here', boxes[here]!, -1)}`;
}

/** `url`: the picture; undefined: not reached yet. */
export const pictureAt = (name: string, side: number, url: string | undefined): TemplateResult =>
  url
    ? svg`<image data-tensor=${name} width=${side} height=${side} href=${url} image-rendering="pixelated"></image>`
    : frame('hollow', { x: 0, y: 0, width: side, height: side }, -0.5);

/** Data URL of a picture (3, H, W). */
export function urlOf({ shape }: TraceNode, values: Float32Array): string {
  const [height, width] = shape.slice(-2) as [number, number];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d')!.putImageData(new ImageData(rgbaOf(values, width * height), width, height), 0, 0);
  return canvas.toDataURL();
}

const SWATCHES = [0, 0.25, 0.5, 0.75, 1];
const SIDE = 24;

const SAMPLE = 'yellow-circle';

/** A field with a thing from weight 0 to 1. */
export const swatches = (): TemplateResult =>
  html`<svg class="scene-drawing" width=${SWATCHES.length * SIDE} height=${SIDE} aria-hidden="true">
    <rect width="100%" height="100%"></rect>
    ${SWATCHES.map(
      (weight, i) =>
        svg`<g transform="translate(${i * SIDE}) scale(${SIDE / 8})">${sprite(SAMPLE)}</g>
          ${field({ x: i * SIDE, y: 0, width: SIDE, height: SIDE }, weight, null)}`,
    )}
  </svg>`;
