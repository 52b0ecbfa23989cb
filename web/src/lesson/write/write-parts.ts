// A generated text token by token with probabilities, and a table of several draws.
import { html, nothing, type TemplateResult } from 'lit';
import { fixed, significant } from '../../ui/numbers';
import { isTexts } from '../../ui/task-words';
import { marked, nameOfMark } from '../../ui/token';
import { tokenProbabilities, type Draws } from './writing';
import type { TaskInfo, WriteInfo } from '../../engine/types';

const MAX_ROWS = 8;

/** Each token above a bar as long as its probability; for a language model, after the tokens of the prompt. */
export function answer(info: WriteInfo, task: TaskInfo): TemplateResult {
  return html`<ol
      class="written"
      aria-label="What the model writes, with the probability of each token"
      data-text=${info.tokens.join(task.separator)}
    >
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
    <p class="hint">
      p of the whole text
      ${significant(info.probability, 3)}${info.ended ? nothing : html`, cut off after ${info.tokens.length} tokens`}
    </p>`;
}

const given = (token: string): TemplateResult =>
  html`<li class="given" title=${nameOfMark(token) ?? nothing}><span>${token}</span> <small>given</small></li>`;

/** A bar under each text: its share of the draws. */
export function drawsTable(rows: readonly Draws[], draws: number): TemplateResult {
  const rest = rows.slice(MAX_ROWS);
  const restDraws = rest.reduce((sum, { count }) => sum + count, 0);
  return html`<div class="wide" tabindex="0" role="region" aria-label="Draws">
      <table class="draws">
        <thead>
          <tr>
            <th scope="col" class="number">of ${draws}</th>
            <th scope="col">text</th>
            <th scope="col" class="number">p</th>
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, MAX_ROWS).map(
            ({ text, count, p }) =>
              html`<tr>
                <td class="number">${count}</td>
                <th scope="row" style=${`--share: ${count / draws}`}>${text || '(nothing)'}</th>
                <td class="number">${significant(p, 2)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${rest.length ? html`<p class="hint">and ${rest.length} other ${rest.length === 1 ? 'text' : 'texts'} in ${restDraws} ${restDraws === 1 ? 'draw' : 'draws'}</p>` : nothing}`;
}
