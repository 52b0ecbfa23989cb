// What the model generates now, next to its source. Improbable tokens are faint; a wrong output shows the target.
import { html, nothing, type TemplateResult } from 'lit';
import { expected, NOTHING } from '#messages/bench/training';
import type { PairInfo, TaskInfo, GenerationInfo } from '../../engine/types';

export const sampleList = (samples: GenerationInfo[], task: TaskInfo | null, pair: PairInfo | null): TemplateResult =>
  html`<ul class="samples">
    ${samples.map((sample) => html`<li>${sampleItem(sample, task?.separator ?? ' ', pair)}</li>`)}
  </ul>`;

function sampleItem(
  { source, tokens, probabilities, ended }: GenerationInfo,
  separator: string,
  pair: PairInfo | null,
): TemplateResult {
  const text = source.join(separator);
  const wanted = pair && pair.source.join(separator) === text ? pair.target.join(separator) : null;
  const written = tokens.join(separator);
  return html`<span class="read">${text}</span>
    <span class="wrote"
      >${tokens.map(
        (token, i) =>
          html`${i ? separator : ''}<span
              style="opacity:${opacityOf(probabilities[i])}"
              title=${`p = ${probabilities[i]!.toFixed(3)}`}
              >${token}</span
            >`,
      )}${ended ? nothing : ' …'}${tokens.length ? nothing : html`<i>${NOTHING}</i>`}</span
    >
    ${wanted === null || wanted === written ? nothing : html`<span class="wanted">${expected(wanted)}</span>`}`;
}

/** Opacity from 0.62 to 1: an improbable token stands out but stays legible. */
const opacityOf = (p = 1): string => (0.62 + 0.38 * p).toFixed(2);
