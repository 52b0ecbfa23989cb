// <u-search>: a field and the list of what it finds, as a combobox whose list is always open: the focus stays in the field,
// the arrow keys choose, Enter opens, Escape closes.
import './search-dialog.css';
import * as texts from '#messages/search';
import { CLOSE, SEARCH } from '#messages/app';
import { html, nothing, type TemplateResult } from 'lit';
import rows from 'virtual:search';
import { root } from '../../engine/addresses';
import { icon } from '../../ui/icons';
import { PlainElement, states } from '../../ui/lab-element';
import { fromRow, type Entry } from './entry';
import { SearchIndex } from './rank';

const index = new SearchIndex(rows.map(fromRow));
const idOf = (at: number): string => `search-hit-${at}`;

/** Where each key moves the choice. */
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
};

export class SearchDialog extends PlainElement {
  static override properties = states('query', 'at');
  query = '';
  /** The chosen hit. */
  at = 0;
  private hits: readonly Entry[] = [];

  async open(): Promise<void> {
    await this.updateComplete;
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.field.select();
  }

  private get dialog(): HTMLDialogElement {
    return this.querySelector('dialog')!;
  }

  private get field(): HTMLInputElement {
    return this.querySelector('input')!;
  }

  protected override render(): TemplateResult {
    return html`<dialog class="search" aria-label=${SEARCH} closedby="any">
      <div class="field">
        ${icon('search')}
        <input
          type="text"
          role="combobox"
          aria-label=${texts.WHAT}
          aria-expanded=${this.hits.length > 0}
          aria-controls="search-hits"
          aria-autocomplete="list"
          aria-activedescendant=${this.hits.length ? idOf(this.at) : nothing}
          placeholder=${texts.WHAT}
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength="100"
          .value=${this.query}
          @input=${this.onInput}
          @keydown=${this.onKey}
        />
        <button type="button" class="tb" aria-label=${CLOSE} @click=${() => this.dialog.close()}>
          ${icon('close')}
        </button>
      </div>
      <ul id="search-hits" role="listbox" aria-label=${texts.RESULTS} ?hidden=${!this.hits.length}>
        ${this.hits.map((hit, at) => this.hit(hit, at))}
      </ul>
      <p class="about" role="status">${this.status}</p>
    </dialog>`;
  }

  private get status(): string {
    if (!this.query.trim()) return texts.EXAMPLES;
    if (!this.hits.length) return texts.nothingFor(this.query.trim());
    return `${texts.hits(this.hits.length)} · ${texts.HOW}`;
  }

  private hit({ kind, title, about }: Entry, at: number): TemplateResult {
    return html`<li id=${idOf(at)} role="option" aria-selected=${at === this.at} @click=${() => this.go(at)}>
      <span class="kind">${texts.KINDS[kind]}</span>
      <span class="title">${title}</span>
      <span class="below">${about}</span>
    </li>`;
  }

  private readonly onInput = (): void => {
    this.query = this.field.value;
    this.hits = index.find(this.query);
    this.at = 0;
  };

  private readonly onKey = (event: KeyboardEvent): void => {
    const move = MOVES[event.key];
    if (!this.hits.length || event.isComposing || (!move && event.key !== 'Enter')) return;
    event.preventDefault();
    if (move) void this.choose(move(this.at, this.hits.length));
    else this.go(this.at);
  };

  private async choose(at: number): Promise<void> {
    this.at = at;
    await this.updateComplete;
    this.querySelector(`#${idOf(at)}`)!.scrollIntoView({ block: 'nearest' });
  }

  /** Closes first: the place may be on this page. */
  private go(at: number): void {
    this.dialog.close();
    location.assign(new URL(this.hits[at]!.address, root));
  }
}

customElements.define('u-search', SearchDialog);

/** The one of the page. */
export function searchDialog(): SearchDialog {
  const found = document.querySelector<SearchDialog>('u-search') ?? document.createElement('u-search');
  if (!found.isConnected) document.body.append(found);
  return found as SearchDialog;
}
