// The singular values of a matrix: in words, as a table, and drawn as bars beside the line at 1.
import { type TemplateResult, nothing, svg } from 'lit';
import * as texts from '#messages/figures/spectrum';
import { notReached } from '#messages/figures/shared';
import type { Reply, Role, Spectrum } from '../../engine/types';
import { shapeText, significant } from '../../ui/numbers';
import type { Part } from '../host/contract';
import type { Table } from '../host/table';
import { frame } from '../shared/cells';

/** Of which matrix. */
export interface Shown {
  /** Of the tensor. */
  tensor: string;
  /** Of the matrix: that of the tensor, with its gate or its part. */
  name: string;
  role: Role;
  rows: number;
  columns: number;
  isRecurrence: boolean;
}

/** Singular values closer to 1 than this are 1: float32 says no more. */
const ROUNDING = 1e-5;

export class SpectrumScene {
  readonly singularValues: ArrayLike<number>;
  /** Absolute; none unless the matrix is square. */
  readonly eigenvalues: ArrayLike<number>;

  /** @param told undefined: the matrix has not been reached, or the engine has not answered. */
  constructor(
    readonly shown: Shown,
    readonly told: Reply<Spectrum> | undefined,
  ) {
    const { singularValues, eigenvalues } = told?.ok ? told.value : { singularValues: [], eigenvalues: [] };
    [this.singularValues, this.eigenvalues] = [singularValues, eigenvalues];
  }

  get count(): number {
    return this.singularValues.length;
  }

  get largest(): number {
    return this.singularValues[0]!;
  }

  get smallest(): number {
    return this.singularValues[this.count - 1]!;
  }

  /** How many are more than rounding errors of the largest. */
  get rank(): number {
    const { rows, columns } = this.shown;
    const least = this.largest * Math.max(rows, columns) * 2 ** -23;
    return Array.from(this.singularValues).filter((value) => value > least).length;
  }

  tell(): string {
    const { told, shown, count } = this;
    if (told && !told.ok) return told.message;
    if (!count) return notReached(shown.name);
    return [texts.spectrumText(this.#facts), this.#lengthens(), ...this.#repeated()].join(' ');
  }

  /** The line under the drawing: the values, and what they mean for the vectors that are multiplied. */
  tellBriefly(): string {
    if (!this.count) return this.tell();
    const [meaning] = [...this.#repeated(), this.#lengthens()];
    return `${texts.spectrumText(this.#facts)} ${meaning}`;
  }

  tellValue(i: number): string {
    const text = texts.singularValue(i + 1, this.count, significant(this.singularValues[i]!, 6));
    return this.eigenvalues.length ? texts.withEigenvalue(text, significant(this.eigenvalues[i]!, 6)) : text;
  }

  table(): Table {
    const { tensor, name } = this.shown;
    const isSquare = this.eigenvalues.length > 0;
    return {
      ...{ caption: texts.headingOf(name), quiet: true, tensor },
      head: [texts.NUMBER, texts.SINGULAR_VALUE, ...(isSquare ? [texts.EIGENVALUE] : [])],
      rows: Array.from(this.singularValues, (value, i) => ({
        heads: [i + 1],
        cells: [value, ...(isSquare ? [this.eigenvalues[i]] : [])],
      })),
    };
  }

  get #facts(): texts.Facts {
    const { shown, largest, smallest, rank, count } = this;
    return {
      ...{ name: shown.name, shape: shapeText([shown.rows, shown.columns]), rank, count },
      largest: significant(largest, 3),
      smallest: significant(smallest, 3),
      condition: rank < count ? null : significant(largest / smallest, 3),
    };
  }

  #lengthens(): string {
    const { name, rows, columns } = this.shown;
    return (rows === columns ? texts.lengthens : texts.lengthensAtMost)(name, this.#facts);
  }

  #repeated(): string[] {
    const { name, isRecurrence } = this.shown;
    if (!isRecurrence) return [];
    return [texts.goingBack(name, this.recurrence), texts.inTheLongRun(name, significant(this.eigenvalues[0]!, 3))];
  }

  /** What the matrix alone does to the length of a gradient. */
  get recurrence(): texts.Recurrence {
    const { largest, smallest } = this;
    if (largest <= 1 + ROUNDING && smallest >= 1 - ROUNDING) return 'keeps';
    return largest < 1 ? 'shrinks' : smallest > 1 ? 'grows' : 'depends';
  }
}

interface Measures {
  width: number;
  maxHeight: number;
  line: number;
}

/** CSS pixels: of a bar with the space around it, and of the whole. */
const MAX_STEP = 56;
const HEIGHT = { least: 150, most: 320 };
/** Radius of a ring. */
const RING = 4;
/** A bar this wide has its value above it. */
const NUMBERED = 34;

export type SpectrumLayout = ReturnType<typeof layOutSpectrum>;

export function layOutSpectrum(scene: SpectrumScene, { width, maxHeight, line }: Measures) {
  const { count, largest } = scene;
  const [left, top, below] = [3.6 * line, 1.8 * line, 1.8 * line];
  const step = Math.min(MAX_STEP, (width - left - 2) / Math.max(1, count));
  const height = Math.max(HEIGHT.least, Math.min(HEIGHT.most, maxHeight));
  const bottom = height - below;
  const most = Math.max(1, ...(count ? [largest, ...Array.from(scene.eigenvalues)] : []));
  const y = (value: number): number => bottom - (value / most) * (bottom - top);
  const bar = step < 4 ? step : step * 0.64;
  const bars = Array.from(scene.singularValues, (value, i) => {
    const x = left + i * step + (step - bar) / 2;
    return { x, y: y(value), width: bar, height: bottom - y(value) };
  });
  return { width: left + Math.max(step * count, 10 * line), height, left, bottom, step, line, y, most, bars };
}

/** The bar at a point, whatever its height. */
export const barAt = ({ left, step, bars }: SpectrumLayout, x: number): number | null => {
  const i = Math.floor((x - left) / step);
  return i >= 0 && i < bars.length ? i : null;
};

export function drawn(scene: SpectrumScene, layout: SpectrumLayout, here: number | null): Part[] {
  const { bars } = layout;
  return [
    axes(scene, layout),
    svg`<g class="bars r-${scene.shown.role}">${bars.map(
      ({ x, y, width, height }) => svg`<rect x=${x} y=${y} width=${width} height=${height}></rect>`,
    )}</g>`,
    atOne(layout),
    ...rings(scene, layout),
    ...(layout.step >= NUMBERED ? numbers(scene, layout) : []),
    here === null || !bars[here] ? nothing : frame('here', bars[here], 1.5, 1),
  ];
}

function axes({ count }: SpectrumScene, { left, bottom, line, y, most, width, step }: SpectrumLayout): TemplateResult {
  const ticks = [0, 1, ...(most > 1.15 ? [most] : [])];
  const every = Math.max(1, Math.ceil((2 * line) / step));
  const numbers = Array.from({ length: count }, (_, i) => i).filter((i) => i % every === 0);
  return svg`<path class="axis" d="M${left} ${bottom}H${width}"></path>
    ${ticks.map((value) => svg`<text class="tick" text-anchor="end" x=${left - 6} y=${y(value) + line * 0.32}>${significant(value, 3)}</text>`)}
    ${numbers.map((i) => svg`<text class="tick" text-anchor="middle" x=${left + (i + 0.5) * step} y=${bottom + 1.3 * line}>${i + 1}</text>`)}`;
}

const atOne = ({ left, width, y }: SpectrumLayout): TemplateResult =>
  svg`<path class="one" d="M${left} ${y(1)}H${width}"></path>`;

const rings = ({ eigenvalues }: SpectrumScene, { bars, y }: SpectrumLayout): TemplateResult[] =>
  Array.from(
    eigenvalues,
    (value, i) =>
      svg`<circle class="ring" cx=${bars[i]!.x + bars[i]!.width / 2} cy=${y(value)} r=${Math.min(RING, Math.max(1.5, bars[i]!.width / 3))}></circle>`,
  );

/** Above the bar, and above its ring. */
const numbers = ({ singularValues, eigenvalues }: SpectrumScene, { bars, line, y }: SpectrumLayout): TemplateResult[] =>
  bars.map((bar, i) => {
    const top = Math.min(bar.y, y(eigenvalues[i] ?? 0) - RING);
    return svg`<text class="number" text-anchor="middle" x=${bar.x + bar.width / 2} y=${top - 0.5 * line}>${significant(singularValues[i]!, 3)}</text>`;
  });
