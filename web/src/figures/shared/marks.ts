// One mark for each role, drawn the same everywhere (input ○ parameter ■ state ▮ score ◇ weight ● gradient ▽), symbols of
// tensors, and the scale of a heatmap: its colours in steps, with the value at each end.
import { type TemplateResult, svg, html } from 'lit';
import { wordFromPrompt } from '#messages/figures/shared';
import type { Role, TraceNode } from '../../engine/types';
import { isNamed, shortName } from '../../lab/cursor';
import { significant } from '../../ui/numbers';
import { type Scale, FULL } from './palette';

export { isNamed, shortName };

const SHAPES: Record<Role, TemplateResult> = {
  input: svg`<circle cx="4" cy="4" r="3"/>`,
  parameter: svg`<rect x=".7" y=".7" width="6.6" height="6.6" fill="currentColor" stroke="none"/>`,
  state: svg`<path d="M1 1v6M4 1v6M7 1v6" stroke-width="1.6"/>`,
  score: svg`<path d="M4 .4 7.6 4 4 7.6.4 4z"/>`,
  weight: svg`<circle cx="4" cy="4" r="3.6" fill="currentColor" stroke="none"/>`,
  gradient: svg`<path d="M.5 1h7L4 7.4z"/>`,
};

export const mark = (role: Role): TemplateResult =>
  html`<svg class="mark r-${role}" viewBox="0 0 8 8" aria-hidden="true">${SHAPES[role]}</svg>`;

/** "∂L/∂W_Q", named after the tensor: the node with its gradient may be shared, and named after another tensor. */
export const gradientSymbol = (node: Pick<TraceNode, 'name' | 'op'>): TemplateResult =>
  html`<span class="r-gradient">∂<i class="sym">L</i>/∂${symbol({ ...node, role: 'gradient' })}</span>`;

/** ["1"] for "decoder.t1.attention/α": the sequence position it was computed at; empty for most tensors. */
const positionOf = (name: string): string[] => /\.t(\d+)(?=[./])/.exec(name)?.slice(1) ?? [];

/** "W_Q" in its role's colour, with its subscript and sequence position; words and unnamed results upright. */
export function symbol(node: Pick<TraceNode, 'name' | 'role' | 'op'>): TemplateResult {
  const name = shortName(node.name);
  const [base = '', ...rest] = name.split('_');
  const at = positionOf(node.name);
  if (!isNamed(node)) return html`<span class="word-sym r-${node.role}">${name}</span>`;
  if (base.replace('∂', '').length > 2 || name.includes('.'))
    return html`<span class="word-sym r-${node.role}">${name}${below(at)}</span>`;
  return html`<i class="sym r-${node.role}">${base}${below(rest.length ? [rest.join('_'), ...at] : at)}</i>`;
}

const below = (parts: readonly string[]): TemplateResult | string =>
  parts.length ? html`<sub>${parts.join(', ')}</sub>` : '';

export function legend(scale: Scale, name: TemplateResult): TemplateResult {
  const sequential = scale.map === 'sequential';
  const steps = sequential ? 9 : 11;
  const bar = [...Array(steps).keys()].map((i) => {
    const color = `var(--${sequential ? 'seq' : 'div'}-${i})`;
    return html`<i class=${!sequential && i < 5 ? 'neg' : ''} style="background-color:${color}"></i>`;
  });
  const end = significant(scale.limit, 3);
  return html`<span class="legend">
    ${name}<span>${sequential ? '0' : `−${end}`}</span><span class="ramp" aria-hidden="true">${bar}</span
    ><span>${end}</span>
  </span>`;
}

/** Of attention weights. */
export const alphaSymbol = html`<i class="sym r-weight">α</i>`;
export const alphaLegend = (): TemplateResult => legend(FULL, alphaSymbol);

/** Key to the words of the prompt, which the model did not generate. */
export const promptKey: TemplateResult = html`<span class="legend">${wordFromPrompt()}</span>`;
