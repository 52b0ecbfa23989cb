// Draws attention weights over a picture: each field gets a frame as thick as its weight, and a light veil. A frame of
// weight 1 fills only the margin of a field, which no shape covers, so shapes stay visible under any weight.
import { type TemplateResult, html, nothing, svg } from 'lit';
import type { TraceNode } from '../../engine/types';
import { fixed } from '../../ui/numbers';
import type { Part } from '../host/contract';
import { type Box, placeBox, rgbaOf } from './picture-layout';
import type { PictureScene } from './picture-scene';

/** Frame thickness at weight 1, as a fraction of the field width; veil opacity at weight 1. */
const THICKEST = 1 / 8;
const DENSEST = 0.3;

export function weighed({ x, y, width, height }: Box, weight: number): TemplateResult {
  const thick = weight * THICKEST * width;
  return svg`<rect class="veil" x=${x} y=${y} width=${width} height=${height} fill-opacity=${weight * DENSEST}></rect>
    <rect class="frame" x=${x + thick / 2} y=${y + thick / 2} width=${width - thick} height=${height - thick} stroke-width=${thick}></rect>`;
}

/** A field of the picture; `weight` undefined: not reached yet. */
export function field(box: Box, weight: number | undefined, line: number | null): TemplateResult {
  const { x, y, width, height } = box;
  const edge = svg`<rect class=${weight === undefined ? 'hollow' : 'edge'} x=${x} y=${y} width=${width} height=${height}></rect>`;
  if (weight === undefined) return edge;
  return svg`${edge}${weighed(box, weight)}${line === null ? nothing : written(box, weight, line)}`;
}

function written({ x, y, width, height }: Box, weight: number, line: number): TemplateResult {
  const [middle, across] = [x + width / 2, y + height / 2];
  return svg`<rect class="plate" x=${middle - line * 1.25} y=${across - line * 0.7} width=${line * 2.5} height=${line * 1.4} rx="2"></rect>
    <text class="number" text-anchor="middle" x=${middle} y=${across + line * 0.35}>${fixed(weight, 2)}</text>`;
}

/** All places with the weights on show, each written out if `line` is its text size; the chosen one framed. */
export function fields(scene: PictureScene, side: number, line: number | null): Part {
  const { grid } = scene.attention;
  const weights = scene.weightsOf(scene.node);
  const boxes = Array.from({ length: scene.places }, (_, i) => placeBox(grid, i, side));
  const at = boxes[scene.choice.place]!;
  return svg`${boxes.map((box, i) => svg`<g>${field(box, weights?.[i], line)}</g>`)}
    ${scene.choice.between ? svg`<rect class="here" x=${at.x + 1} y=${at.y + 1} width=${at.width - 2} height=${at.height - 2}></rect>` : nothing}`;
}

/** `url`: the picture; undefined: not reached yet. */
export const pictureAt = (name: string, side: number, url: string | undefined): TemplateResult =>
  url
    ? svg`<image data-tensor=${name} width=${side} height=${side} href=${url} image-rendering="pixelated"></image>`
    : svg`<rect class="hollow" x=".5" y=".5" width=${side - 1} height=${side - 1}></rect>`;

/** Data URL of a picture (3, H, W). */
export function urlOf({ shape }: TraceNode, values: Float32Array): string {
  const [height, width] = shape.slice(-2) as [number, number];
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  canvas.getContext('2d')!.putImageData(new ImageData(rgbaOf(values, width * height), width, height), 0, 0);
  return canvas.toDataURL();
}

const SWATCHES = [0, 0.25, 0.5, 0.75, 1];
const SIDE = 24;

/** Fields of an empty picture from weight 0 to 1. */
export const swatches = (): TemplateResult =>
  html`<svg class="scene-drawing" width=${SWATCHES.length * SIDE} height=${SIDE} aria-hidden="true">
    <rect width="100%" height="100%"></rect>
    ${SWATCHES.map((weight, i) => field({ x: i * SIDE, y: 0, width: SIDE, height: SIDE }, weight, null))}
  </svg>`;
