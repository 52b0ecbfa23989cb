// Measures text before it is drawn.

let context: CanvasRenderingContext2D | null = null;

/** Width in CSS pixels of `text` in `family` at `size` pixels; an estimate without a canvas context. */
export function textWidth(text: string, size: number, family: string, weight = 400): number {
  context ??= document.createElement('canvas').getContext('2d');
  if (!context) return text.length * size * 0.55;
  context.font = `${weight} ${size}px ${family}`;
  return context.measureText(text).width;
}

export const widest = (texts: readonly string[], size: number, family: string, weight = 400): number =>
  texts.reduce((max, text) => Math.max(max, textWidth(text, size, family, weight)), 0);
