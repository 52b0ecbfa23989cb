// What was read of the learner's own data, and the choices in how it is read.
import * as texts from '#messages/reader';
import { html, nothing, type TemplateResult } from 'lit';
import { field, optionsOf, select } from '../ui/choices';
import { SEPARATORS, type Separator } from '../reader/table';
import type { PairChoices, PairsRead, Tokens } from '../reader/pairs';
import type { ProseRead } from '../reader/own';

export interface Choosing {
  choices: PairChoices;
  choose: (change: Partial<PairChoices>) => void;
  /** The sentence that the page shows above the report already. */
  refused: string;
  /** Selects the line in the field. */
  showLine: (line: number) => void;
}

type Part = TemplateResult | typeof nothing;

/** Words a side has on average, below which they may hide a language without spaces. */
const FEW_WORDS = 1.2;
const UNITS: readonly Tokens[] = ['words', 'characters'];

const nameOfColumn = (read: PairsRead, column: number): string =>
  texts.columnName(column + 1, read.columns.header?.cells[column]?.trim() ?? '');

function sentenceOf(read: PairsRead): string {
  const { columns, names, separator, leftOutCount } = read;
  const isJson = separator === 'json';
  return texts.pairsRead({
    pairs: read.lines.length,
    source: isJson ? names[0]! : nameOfColumn(read, columns.source),
    target: isJson ? names[1]! : nameOfColumn(read, columns.target),
    columns: columns.count,
    separator: isJson || separator === null ? null : texts.SEPARATED[separator],
    header: columns.header !== null,
    leftOut: leftOutCount,
  });
}

export function pairsReport(read: PairsRead, why: string, choosing: Choosing): TemplateResult {
  if (why) return html`${why === choosing.refused ? nothing : summary(why)}${separators(read, choosing)}`;
  const few = read.tokens === 'words' && Math.min(read.source.mean, read.target.mean) < FEW_WORDS;
  const lengths = texts.pairLengths(read.tokens, read.source, read.target);
  return html`${summary(sentenceOf(read))}${leftOutList(read, choosing)}
  ${read.lines.length ? html`<p class="about">${lengths}${few ? ` ${texts.ONE_WORD}` : ''}</p>` : nothing}
  ${note(texts.cleaned({ ...read.cleanings, damaged: 0 }))} ${separators(read, choosing)}${columnLists(read, choosing)}
  ${unitList(read, choosing)}${read.tokens === 'words' ? splittings(read, choosing) : nothing}`;
}

export function proseReport(read: ProseRead, choosing: Choosing): TemplateResult {
  return html`${summary(texts.proseRead(read.tokens, read.count, read.lines, read.different))}
  ${note(read.share < 1 ? texts.partRead(read.share) : '')}
  ${note(texts.cleaned({ ...read.cleanings, damaged: read.damaged }))}
  ${read.tokens === 'words' ? splittings(read, choosing) : nothing}`;
}

const summary = (sentence: string): TemplateResult => html`<p class="about" role="status" data-read>${sentence}</p>`;
const note = (sentence: string): Part => (sentence ? html`<p class="about">${sentence}</p>` : nothing);

function leftOutList({ leftOut, leftOutCount }: PairsRead, { showLine }: Choosing): Part {
  if (!leftOut.length) return nothing;
  const more = leftOutCount - leftOut.length;
  // Not <details>: while one is closed, Chromium takes time quadratic in a field's lines to select its text.
  return html`<div class="left-out">
    <p class="about">${texts.leftOutLines(leftOutCount)}</p>
    <ul>
      ${leftOut.map(
        ({ line, why }) =>
          html`<li>
            <button type="button" class="btn quiet" @click=${() => showLine(line)}>${texts.lineName(line)}</button>
            <span>${why}</span>
          </li>`,
      )}
      ${more > 0 ? html`<li><span>${texts.moreLines(more)}</span></li>` : nothing}
    </ul>
  </div>`;
}

/** Offered unless the text is clear. */
function separators(read: PairsRead, { choices, choose }: Choosing): Part {
  const clear = choices.separator === undefined && (read.separator === '\t' || read.separator === 'json');
  if (clear) return nothing;
  const button = (each: Separator): TemplateResult =>
    html`<button
      type="button"
      class="btn small"
      aria-pressed=${read.separator === each}
      @click=${() => choose({ separator: each })}
    >
      ${texts.SEPARATED[each]}
    </button>`;
  return html`<div class="row" role="group" aria-label=${texts.SEPARATOR}>
    <span>${texts.SEPARATOR}</span>${SEPARATORS.map(button)}
  </div>`;
}

function columnLists(read: PairsRead, { choose }: Choosing): Part {
  const { source, target, count } = read.columns;
  if (read.separator === 'json' || count < 3) return nothing;
  return html`${columnList(read, texts.SOURCE, source, (column) => choose({ columns: [column, target] }))}
  ${columnList(read, texts.TARGET, target, (column) => choose({ columns: [source, column] }))}`;
}

function columnList(read: PairsRead, label: string, now: number, pick: (column: number) => void): TemplateResult {
  const columns = Array.from({ length: read.columns.count }, (_, column) => column);
  const list = select(columns, now, pick, (column) => nameOfColumn(read, column));
  return field(label, list);
}

const unitList = (read: PairsRead, { choose }: Choosing): TemplateResult =>
  field(
    texts.READ_AS,
    html`<select
      name="tokens"
      .value=${read.tokens}
      @change=${(event: Event) => choose({ tokens: (event.target as HTMLSelectElement).value as Tokens })}
    >
      ${optionsOf(UNITS, read.tokens, (unit) => texts.UNIT_NAMES[unit as Tokens])}
    </select>`,
  );

type Splits = Pick<PairsRead, 'hasPunctuation' | 'hasUnspaced'>;

function splittings({ hasPunctuation, hasUnspaced }: Splits, { choices, choose }: Choosing): TemplateResult {
  const box = (label: string, key: 'punctuation' | 'unspaced'): TemplateResult =>
    html`<label class="tick"
      ><input
        type="checkbox"
        .checked=${choices[key]}
        @change=${(event: Event) => choose({ [key]: (event.target as HTMLInputElement).checked })}
      /><span>${label}</span></label
    >`;
  return html`${hasPunctuation ? box(texts.SPLIT_PUNCTUATION, 'punctuation') : nothing}
  ${hasUnspaced ? box(texts.SPLIT_UNSPACED, 'unspaced') : nothing}`;
}
