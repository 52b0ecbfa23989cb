// Sparkline of the loss since the first step, small enough to sit next to a button. Needs at least two points.
import { svg, type SVGTemplateResult, html, type TemplateResult } from 'lit';
import type { Training } from '../../lab/training';

const [WIDTH, HEIGHT, PAD] = [240, 34, 3];

export const spark = ({ curve, target }: Training): TemplateResult =>
  html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">
    <path class="base" d="M0 ${HEIGHT - 0.5}H${WIDTH}" />
    ${line(curve, target)}
  </svg>`;

function line(curve: Training['curve'], target: number): SVGTemplateResult {
  const last = curve.at(-1)!;
  const max = Math.max(...curve.map(({ loss }) => loss));
  const end = Math.max(target, last.step);
  const x = (step: number): number => PAD + (step / end) * (WIDTH - 2 * PAD);
  const y = (loss: number): number => HEIGHT - PAD - (loss / max) * (HEIGHT - 2 * PAD);
  const points = curve.map(({ step, loss }) => `${x(step).toFixed(1)} ${y(loss).toFixed(1)}`);
  return svg`<path class="loss" d="M${points.join('L')}" />
    <path class="now" d="M${x(last.step)} ${y(last.loss)}h0" />`;
}
