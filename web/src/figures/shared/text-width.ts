// Measures text in the page's sans before it is drawn.
import { palette } from './palette';

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
