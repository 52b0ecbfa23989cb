// Icons of the bar and the transport: 16 px, one stroke.
import { svg, html, type SVGTemplateResult, type TemplateResult } from 'lit';

const dot = svg`<circle fill="currentColor" stroke="none" cx="8" cy="13.2" r="1.4" />`;

const shapes = {
  first: svg`<path d="M3.5 3.5v9M12.5 3.5 6.5 8l6 4.5z" />`,
  back: svg`<path d="M10 3.5 5.5 8l4.5 4.5" />`,
  play: svg`<path fill="currentColor" stroke="none" d="M4 2.5v11l9.5-5.5z" />`,
  pause: svg`<path d="M5.5 3.5v9M10.5 3.5v9" stroke-width="2.4" />`,
  forward: svg`<path d="M6 3.5 10.5 8 6 12.5" />`,
  last: svg`<path d="M12.5 3.5v9M3.5 3.5l6 4.5-6 4.5z" />`,
  into: svg`<path d="M8 2v7.5M5 6.8 8 9.8l3-3" />${dot}`,
  out: svg`<path d="M8 9.8V2.2M5 5.2l3-3 3 3" />${dot}`,
  reset: svg`<path d="M3.4 5.6A5.4 5.4 0 1 1 2.6 9M3.2 2.4v3.4h3.4" />`,
  seed: svg`<rect x="2.5" y="2.5" width="11" height="11" rx="1.6" /><path d="M5.5 5.5h.01M10.5 5.5h.01M8 8h.01M5.5 10.5h.01M10.5 10.5h.01" stroke-width="1.9" />`,
  theme: svg`<circle cx="8" cy="8" r="5.6" /><path fill="currentColor" stroke="none" d="M8 2.4a5.6 5.6 0 0 1 0 11.2z" />`,
  keys: svg`<rect x="1.7" y="4" width="12.6" height="8.4" rx="1.2" /><path d="M4.4 6.7h.01M7 6.7h.01M9.6 6.7h.01M12 6.7h.01M5 9.7h6" />`,
  link: svg`<path d="M6.8 9.2a2.6 2.6 0 0 0 3.7 0l2.2-2.2A2.6 2.6 0 0 0 9 3.3l-.8.8M9.2 6.8a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8" />`,
  search: svg`<circle cx="6.9" cy="6.9" r="4.2" /><path d="m10.1 10.1 3.6 3.6" />`,
  chevron: svg`<path d="M4.5 6.5 8 10l3.5-3.5" />`,
  follow: svg`<path d="M6 3 2.5 6.5 6 10M2.5 6.5H10a3.5 3.5 0 0 1 0 7H7.5" />`,
  edit: svg`<path d="M3 13l.7-2.9 7-7 2.2 2.2-7 7zM9.5 4.3l2.2 2.2" />`,
  present: svg`<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />`,
  two: svg`<rect x="2.5" y="3" width="11" height="10" rx="1" /><path d="M8.5 3v10" />`,
  more: svg`<path stroke-width="2.4" d="M3 8h.01M8 8h.01M13 8h.01" />`,
  close: svg`<path d="M4 4l8 8M12 4l-8 8" />`,
  done: svg`<path d="M3 8.6 6.4 12 13 4.6" />`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof shapes;

/** Decorative: the control that holds it carries the accessible name. */
export const icon = (name: IconName): TemplateResult =>
  html`<svg class="ico" viewBox="0 0 16 16" aria-hidden="true">${shapes[name]}</svg>`;

/** The logo: a coil that unrolls into a line. */
export const coil = html`<svg viewBox="0 0 26 16" aria-hidden="true">
  <path
    d="M8.2 8.1a1.6 1.6 0 1 0-2.6 1.3 3.7 3.7 0 0 0 5.9-3.1A5.6 5.6 0 0 0 5.8 1 6 6 0 0 0 .8 7.6 6.6 6.6 0 0 0 7.4 14H25"
  />
</svg>`;
