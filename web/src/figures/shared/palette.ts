// The colours of the current theme for drawings: two colour maps, paper, ink and lines, read from the CSS variables; and
// the widths of texts, measured in the page’s sans before they are drawn.
import type { Role } from '../../engine/types';

export type Rgb = readonly [number, number, number];

export interface Palette {
  sequential: readonly Rgb[];
  diverging: readonly Rgb[];
  paper: string;
  wash: string;
  ink: string;
  hollow: string;
  edge: string;
  accent: string;
  sans: string;
}

/** How a value becomes a colour: weights from 0 to 1, everything else from −limit to +limit. */
export interface Scale {
  map: 'sequential' | 'diverging';
  limit: number;
}

let cached: Palette | null = null;
const listeners = new Set<() => void>();

/** The palette of the current theme; cached, so cheap to call in every drawing. */
export const palette = (): Palette => (cached ??= readPalette());

/**
 * Calls back when the theme or the pixel density changes, around printing (always in the light theme), and when fonts
 * have loaded, because drawings measure their text. Returns the unsubscribe function.
 */
export function onTheme(changed: () => void): () => void {
  if (!listeners.size) watch();
  listeners.add(changed);
  return () => listeners.delete(changed);
}

let watching = false;
function watch(): void {
  if (watching) return;
  watching = true;
  const renew = (): void => {
    cached = null;
    listeners.forEach((changed) => changed());
  };
  new MutationObserver(renew).observe(document.documentElement, { attributeFilter: ['data-theme'] });
  for (const query of ['(prefers-color-scheme: dark)', 'print', '(min-resolution: 1.5dppx)'])
    matchMedia(query).addEventListener('change', renew);
  document.fonts.addEventListener('loadingdone', renew);
}

function readPalette(): Palette {
  const probe = document.createElement('i');
  probe.style.forcedColorAdjust = 'none'; // else forced colours make all of them one
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const color = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const map = (name: string, n: number): Rgb[] => Array.from({ length: n }, (_, i) => rgb(color(`${name}-${i}`)));
  const read: Palette = {
    sequential: map('seq', 9),
    diverging: map('div', 11),
    paper: color('paper'),
    wash: color('wash'),
    ink: color('ink'),
    hollow: color('rule-2'),
    edge: color('edge'),
    accent: color('accent'),
    sans: style.getPropertyValue('--sans'),
  };
  probe.remove();
  return read;
}

/** The reader's text size relative to the default of 16 pixels. */
export const textZoom = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

const rgb = (color: string): Rgb => {
  const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map(Number);
  return [r, g, b];
};

/** The scale of weights: from 0 to 1. */
export const FULL: Scale = { map: 'sequential', limit: 1 };

/** The scale of a tensor: by its role, and for signed values by its largest finite magnitude. */
export function scaleOf(role: Role, values: ArrayLike<number> | undefined): Scale {
  if (role === 'weight') return FULL;
  let limit = 0;
  for (let i = 0; values && i < values.length; i++) {
    const size = Math.abs(values[i] ?? 0);
    if (Number.isFinite(size) && size > limit) limit = size;
  }
  return { map: 'diverging', limit: limit || 1 };
}

/** Where a value is on its colour map, from 0 to 1. */
const partOf = (value: number, { map, limit }: Scale): number =>
  Math.max(0, Math.min(1, map === 'sequential' ? value / limit : (value / limit + 1) / 2));

export const colorOf = (value: number, scale: Scale, colors: Palette): Rgb =>
  mix(colors[scale.map], partOf(value, scale));

function mix(map: readonly Rgb[], t: number): Rgb {
  const place = t * (map.length - 1);
  const below = Math.min(map.length - 2, Math.floor(place));
  const [from, to, part] = [map[below] ?? [0, 0, 0], map[below + 1] ?? [0, 0, 0], place - below];
  return [0, 1, 2].map((c) => Math.round(from[c]! + (to[c]! - from[c]!) * part)) as unknown as Rgb;
}

/** WCAG relative luminance. */
function luminance(color: Rgb): number {
  const [r = 0, g = 0, b = 0] = color.map((v) =>
    v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG contrast of two colours, 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Black or white, whichever has more contrast on `color`: at least 4.58 : 1. */
export function inkOn(color: Rgb): '#000000' | '#ffffff' {
  return contrast(color, [0, 0, 0]) >= contrast(color, [255, 255, 255]) ? '#000000' : '#ffffff';
}

/** Finer than eight bits a channel can show. */
const SHADES = 2048;
const shades = new WeakMap<readonly Rgb[], string[]>();

/** colorOf as CSS, cached by shade for drawings with thousands of cells. */
export function shadeOf(value: number, scale: Scale, colors: Palette): string {
  const map = colors[scale.map];
  const known = shades.get(map) ?? [];
  if (!known.length) shades.set(map, known);
  const shade = Math.round(partOf(value, scale) * SHADES);
  return (known[shade] ??= css(mix(map, shade / SHADES)));
}

export const css = (color: Rgb): string => `rgb(${color.join(' ')})`;

let context: CanvasRenderingContext2D | null = null;

/** Width in CSS pixels of `text` at `size` pixels; an estimate without a canvas context. */
export function textWidth(text: string, size: number, weight = 400): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * size * 0.55;
  context.font = `${weight} ${size}px ${palette().sans}`;
  return context.measureText(text).width;
}

/** Width of a token, which may be shown in bold. */
export const wordWidth = (word: string, size: number): number => textWidth(word, size, 600);

export const widest = (texts: readonly string[], size: number, weight = 400): number =>
  Math.max(0, ...texts.map((text) => textWidth(text, size, weight)));
