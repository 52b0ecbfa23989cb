// What the model writes now, beside what it read: unsure words are faint, and what is wrong is said so.
import { html, nothing, type TemplateResult } from 'lit';
import type { PairInfo, TaskInfo, WriteInfo } from '../types';

export const sampleList = (samples: WriteInfo[], task: TaskInfo | null, pair: PairInfo | null): TemplateResult =>
  html`<ul class="samples">
    ${samples.map((sample) => html`<li>${one(sample, task?.separator ?? ' ', pair)}</li>`)}
  </ul>`;

function one(
  { source, tokens, probabilities, ended }: WriteInfo,
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
              style="opacity:${sureness(probabilities[i])}"
              title=${`p = ${probabilities[i]!.toFixed(3)}`}
              >${token}</span
            >`,
      )}${ended ? nothing : ' …'}${tokens.length ? nothing : html`<i>nothing</i>`}</span
    >
    ${wanted === null || wanted === written ? nothing : html`<span class="wanted">wanted: ${wanted}</span>`}`;
}

/** Faint enough to see, dark enough to read. */
const sureness = (p = 1): string => (0.62 + 0.38 * p).toFixed(2);
