// A generated text token by token with probabilities, and a table of several draws.
import * as texts from '#messages/lesson/write';
import { html, nothing, type TemplateResult } from 'lit';
import { fixed, significant } from '../../ui/numbers';
import { isTexts } from '../../ui/task-words';
import { marked, nameOfMark } from '../../ui/token';
import { tokenProbabilities, type Draws } from './writing';
import type { TaskInfo, GenerationInfo } from '../../engine/types';

const MAX_ROWS = 8;

/** Each token above a bar as long as its probability; for a language model, after the tokens of the prompt. */
export function answer(info: GenerationInfo, task: TaskInfo): TemplateResult {
  return html`<ol class="written" aria-label=${texts.WRITTEN} data-text=${info.tokens.join(task.separator)}>
      ${isTexts(task) ? info.source.map((token) => given(marked(token))) : nothing}
      ${tokenProbabilities(info).map(
        ([token, p]) =>
          html`<li
            class=${token === '<eos>' ? 'end' : ''}
            style=${`--p: ${p.toFixed(4)}`}
            title=${nameOfMark(token) ?? nothing}
          >
            <span>${token}</span> <small>${fixed(p, 2)}</small>
          </li>`,
      )}
    </ol>
    <p class="hint">${texts.probability(significant(info.probability, 3), info.ended ? null : info.tokens.length)}</p>`;
}

const given = (token: string): TemplateResult =>
  html`<li class="given" title=${nameOfMark(token) ?? nothing}>
    <span>${token}</span> <small>${texts.GIVEN}</small>
  </li>`;

/** A bar under each text: its share of the draws. */
export function drawsTable(rows: readonly Draws[], draws: number): TemplateResult {
  const rest = rows.slice(MAX_ROWS);
  const restDraws = rest.reduce((sum, { count }) => sum + count, 0);
  return html`<div class="wide" tabindex="0" role="region" aria-label=${texts.DRAWS}>
      <table class="draws">
        <thead>
          <tr>
            <th scope="col" class="number">${texts.outOf(draws)}</th>
            <th scope="col">${texts.TEXT}</th>
            <th scope="col" class="number">p</th>
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, MAX_ROWS).map(
            ({ text, count, p }) =>
              html`<tr>
                <td class="number">${count}</td>
                <th scope="row" style=${`--share: ${count / draws}`}>${text || texts.NOTHING}</th>
                <td class="number">${significant(p, 2)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${rest.length ? html`<p class="hint">${texts.others(rest.length, restDraws)}</p>` : nothing}`;
}
