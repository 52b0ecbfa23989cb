// Draws attention weights over a picture: each field gets a frame as thick as its weight, and a light veil. A frame of
// weight 1 fills only the margin of a field, which no shape covers, so shapes stay visible under any weight.
import { type TemplateResult, html, nothing, svg } from 'lit';
import type { TraceNode } from '../../engine/types';
import { fixed } from '../../ui/numbers';
import type { Part } from '../host/contract';
import { frame } from '../shared/cells';
import type { Box } from '../shared/geometry';
import { placeBox, rgbaOf } from './picture-layout';
import type { PictureScene } from './picture-scene';

/** Frame thickness at weight 1, as a fraction of the field width; veil opacity at weight 1. */
const THICKEST = 1 / 8;
const DENSEST = 0.3;

/** A field of the picture; `weight` undefined: not reached yet. Its weight is written out if `line` is its text size. */
function field(box: Box, weight: number | undefined, line: number | null): TemplateResult {
  if (weight === undefined) return frame('hollow', box);
  const thick = weight * THICKEST * box.width;
  const { x, y, width, height } = box;
  return svg`${frame('edge', box)}
    <rect class="veil" x=${x} y=${y} width=${width} height=${height} fill-opacity=${weight * DENSEST}></rect>
    <rect class="frame" x=${x + thick / 2} y=${y + thick / 2} width=${width - thick} height=${height - thick} stroke-width=${thick}></rect>
    ${line === null ? nothing : written(x + width / 2, y + height / 2, weight, line)}`;
}

const written = (x: number, y: number, weight: number, line: number): TemplateResult =>
  svg`<rect class="plate" x=${x - line * 1.25} y=${y - line * 0.7} width=${line * 2.5} height=${line * 1.4} rx="2"></rect>
    <text class="number" text-anchor="middle" x=${x} y=${y + line * 0.35}>${fixed(weight, 2)}</text>`;

/** All places with the weights on show; the chosen one framed. */
export function fields(scene: PictureScene, side: number, line: number | null): Part {
  const weights = scene.weightsOf(scene.node);
  const boxes = Array.from({ length: scene.places }, (_, i) => placeBox(scene.attention.grid, i, side));
  return svg`${boxes.map((box, i) => svg`<g>${field(box, weights?.[i], line)}</g>`)}
    ${scene.choice.between ? frame('here', boxes[scene.choice.place]!, -1) : nothing}`;
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

/** Fields of an empty picture from weight 0 to 1. */
export const swatches = (): TemplateResult =>
  html`<svg class="scene-drawing" width=${SWATCHES.length * SIDE} height=${SIDE} aria-hidden="true">
    <rect width="100%" height="100%"></rect>
    ${SWATCHES.map((weight, i) => field({ x: i * SIDE, y: 0, width: SIDE, height: SIDE }, weight, null))}
  </svg>`;
