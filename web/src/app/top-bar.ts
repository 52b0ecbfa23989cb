// <u-top>: the bar at the top of every page: navigation, theme, shortcuts, and a link to the current state.
import * as texts from '#messages/app';
import { html, nothing, type TemplateResult } from 'lit';
import './top-bar.css';
import { mainLab } from '../lab/lab-root';
import { linkTo } from '../lab/link/url';
import { lettersOn } from '../bench/transport/keys';
import { root } from '../engine/addresses';
import { orUndefined } from '../lab/store/storage';
import { nextTheme, theme } from '../ui/theme';
import { coil, icon } from '../ui/icons';
import { PlainElement, states } from '../ui/lab-element';
import type { KeysDialog } from './keys-dialog';
import { SEARCH_KEY, listenForSearch, openSearch } from './search/open';

const CONFIRMED_FOR = 2_000;
/** Pages that the bar leads to, below the root of the site. */
const PLACES = [
  ['lessons/write/', texts.WRITE_YOUR_OWN],
  ['workbench/', texts.WORKBENCH],
  ['lessons/teach/', texts.TEACH],
] as const;
const SKIPS = [
  ['main.front', texts.SKIP_TO_TEXT],
  ['article.text', texts.SKIP_TO_TEXT],
  ['u-bench', texts.SKIP_TO_BENCH],
] as const;

/** Must be called before any await in the click handler: after one, WebKit no longer sees a user gesture. */
function toClipboard(link: Promise<string | null>): Promise<void> {
  const text = link.then(asText);
  text.catch(() => undefined); // linkTo has already reported why
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
}

function asText(link: string | null): Blob {
  if (link === null) throw new Error('no link');
  return new Blob([link], { type: 'text/plain' });
}

export class TopBar extends PlainElement {
  static override properties = states('copied');
  copied = '';

  protected override render(): TemplateResult {
    return html`<nav class="skips" aria-label=${texts.SKIP}>
        ${SKIPS.map(([place, words]) => this.skip(place, words))}
      </nav>
      <header class="top">
        <a class="word" href=${root.href}>${coil}${texts.UNROLL}</a>
        <nav aria-label=${texts.MAIN}>
          ${this.lessonsButton()} ${PLACES.map(([path, words]) => this.link(path, words))}
        </nav>
        <div class="tools">
          ${this.searchButton()} ${this.themeButton()}
          ${document.querySelector('u-bench') ? this.keysButton() : nothing} ${this.copyButton()}
        </div>
      </header>
      <u-keys></u-keys>`;
  }

  /** A button, not a link: the part of the address after # is the state of the bench. */
  private skip(place: string, words: string): TemplateResult | typeof nothing {
    const element = document.querySelector<HTMLElement>(place);
    if (!element) return nothing;
    const go = (): void => {
      element.tabIndex = -1;
      element.focus();
    };
    return html`<button type="button" class="btn" @click=${go}>${words}</button>`;
  }

  private link(path: string, words: string): TemplateResult {
    const { href } = new URL(path, root);
    const isHere = location.href.replace(/[?#].*$/, '') === href;
    return html`<a class="tb" href=${href} aria-current=${isHere ? 'page' : nothing}>${words}</a>`;
  }

  /** The menu itself is in the static page. */
  private lessonsButton(): TemplateResult {
    const { place } = document.getElementById('lessons-menu')!.dataset;
    return html`<button type="button" class="tb" popovertarget="lessons-menu">
      ${texts.LESSONS} ${place ? html`<span class="loc">${place}</span>` : nothing} ${icon('chevron')}
    </button>`;
  }

  private searchButton(): TemplateResult {
    const title = lettersOn() ? texts.withKey(texts.SEARCH, SEARCH_KEY) : texts.SEARCH;
    return html`<button
      type="button"
      class="tb bare"
      aria-label=${texts.SEARCH}
      aria-keyshortcuts=${SEARCH_KEY}
      title=${title}
      @click=${openSearch}
    >
      ${icon('search')}
    </button>`;
  }

  private themeButton(): TemplateResult {
    const now = theme();
    return html`<button
      type="button"
      class="tb bare"
      aria-label=${texts.themeIs(now)}
      title=${texts.themeIs(now)}
      @click=${() => (nextTheme(), this.requestUpdate())}
    >
      ${icon('theme')}
    </button>`;
  }

  private keysButton(): TemplateResult {
    return html`<button
      type="button"
      class="tb bare keys-button"
      aria-label=${texts.KEYBOARD}
      title=${texts.KEYBOARD}
      @click=${this.showKeys}
    >
      ${icon('keys')}
    </button>`;
  }

  private copyButton(): TemplateResult {
    return html`<span class="copying">
      <button type="button" class="tb bare" aria-label=${texts.COPY_LINK} title=${texts.COPY_LINK} @click=${this.copy}>
        ${icon(this.copied === texts.LINK_COPIED ? 'done' : 'link')}
      </button>
      <span class="copied" role="status">${this.copied}</span>
    </span>`;
  }

  private readonly showKeys = async (): Promise<void> => {
    await import('./keys-dialog');
    await this.querySelector<KeysDialog>('u-keys')!.open();
  };

  private readonly copy = async (): Promise<void> => {
    const lab = document.querySelector('u-bench') && mainLab()?.lab;
    const making = lab ? linkTo(lab) : Promise.resolve(location.href);
    const copying = orUndefined(async () => (await toClipboard(making), true));
    const link = await making;
    if (link === null) return;
    history.replaceState(history.state, '', link);
    this.copied = (await copying) ? texts.LINK_COPIED : texts.LINK_IN_ADDRESS;
    setTimeout(() => (this.copied = ''), CONFIRMED_FOR);
  };
}

customElements.define('u-top', TopBar);
listenForSearch();
