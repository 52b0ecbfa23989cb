// The scale of a heatmap: its colours in steps, with the value at each end.
import { type TemplateResult, html } from 'lit';
import { wordFromPrompt } from '#messages/figures/shared';
import { significant } from '../../ui/numbers';
import { FULL, type Scale } from './palette';

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
