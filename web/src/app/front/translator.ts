// <u-translator>: the translator of the front page, and of the lesson without a model. The build has drawn it
// (plugin/translator.ts); its model is loaded when a word is pressed. Then the reader hides words from it, or decides where
// it looks, and it writes anew.
import * as texts from '#messages/translator';
import { html, nothing, render, svg, type TemplateResult } from 'lit';
import { inItalics } from './italics';
import { linksOf } from './links';
import { openModel } from './model';
import {
  changedWords,
  changeOf,
  difference,
  largest,
  UNCHANGED,
  write,
  type Change,
  type Read,
  type Written,
} from './writing';

/** Milliseconds after which a press that has no answer yet says that the model is at work. */
const PATIENCE = 1_000;

export class Translator extends HTMLElement {
  /** What the model writes of its own accord, and what it writes now; known once it is loaded. */
  private own: Written | null = null;
  private now: Written | null = null;
  private change = UNCHANGED;
  /** What it wrote before the weight of the chosen word was pulled. */
  private unpulled: Written | null = null;
  /** The written word that the reader has chosen. */
  private chosen: number | null = null;
  private model: Promise<Read> | null = null;
  private writing: Promise<unknown> = Promise.resolve();
  /** Counts the presses on words that are read: a later one takes the place of an earlier one that has no answer yet. */
  private turn = 0;
  /** The last press on a word that is read, and on one that was written: each waits for the other. */
  private making: Promise<void> = Promise.resolve();
  private choosing: Promise<void> = Promise.resolve();
  /** How often all was undone. */
  private undone = 0;
  private isSlow = false;

  connectedCallback(): void {
    this.addEventListener('click', this.onClick);
    this.addEventListener('keydown', this.onKey);
  }
  disconnectedCallback(): void {
    this.removeEventListener('click', this.onClick);
    this.removeEventListener('keydown', this.onKey);
  }

  private readonly onClick = ({ target }: Event): void => {
    const word = (target as Element).closest('.w');
    if (!word) return;
    const place = [...word.parentElement!.querySelectorAll('.w')].indexOf(word);
    if (word.closest('.read')) this.making = this.pressRead(place);
    else this.choosing = this.choose(place);
  };

  private readonly onKey = ({ key }: KeyboardEvent): void => {
    if (key === 'Escape' && this.chosen !== null) this.choosing = this.choose(this.chosen);
  };

  /** A word of the source: it is hidden or shown again, or gets all the weight of the word that is chosen. */
  private async pressRead(place: number): Promise<void> {
    await this.choosing;
    const { hidden, pulls } = this.change;
    const at = this.chosen;
    if (at === null) return this.make({ hidden: toggled(hidden, place), pulls: [] });
    const pulled = pulls.find((pull) => pull.at === at);
    if (!pulled) this.unpulled = this.now;
    // What is written later may change with this word.
    const earlier = pulls.filter((pull) => pull.at < at);
    return this.make({ hidden, pulls: pulled?.to === place ? earlier : [...earlier, { at, to: place }] });
  }

  /** The words that change when these are hidden, found without hiding them. Throws an Error of one sentence. */
  async foretell(hide: string): Promise<string> {
    const read = await this.load();
    this.show();
    const { words } = this.own!;
    const written = await this.write(read, changeOf({ hide }, this.source, words));
    return changedWords(words, written!.words);
  }

  /** A word that was written, once that is done; a second press lets it go. */
  private async choose(place: number): Promise<void> {
    const { undone, making } = this;
    await making;
    if (!(await this.loaded()) || undone !== this.undone) return;
    this.chosen = this.chosen === place ? null : place;
    this.show();
  }

  private async make(change: Change): Promise<void> {
    const turn = ++this.turn;
    const isCurrent = (): boolean => turn === this.turn;
    const read = await this.loaded();
    if (!read || !isCurrent()) return;
    const waiting = setTimeout(() => isCurrent() && this.wait(), PATIENCE);
    try {
      const written = await this.write(read, change, isCurrent);
      if (written && isCurrent()) this.accept(written, change);
    } catch (error) {
      if (isCurrent()) this.fail(error as Error);
    }
    clearTimeout(waiting);
  }

  /** One at a time: they share a session. */
  private write(read: Read, change: Change, goOn?: () => boolean): Promise<Written | null> {
    const begin = (): Promise<Written | null> => write(read, this.own!.words, change, goOn);
    return (this.writing = this.writing.then(begin, begin));
  }

  private accept(written: Written, change: Change): void {
    this.now = written;
    this.change = change;
    if (this.chosen !== null && this.chosen >= written.words.length) this.chosen = null;
    this.show();
  }

  private loaded(): Promise<Read | null> {
    return this.load().catch(() => null); // it has been said
  }

  /** The first press loads the model; after a failure the next one tries again. */
  private async load(): Promise<Read> {
    if (!this.own) this.say(texts.loadingModel(Number(this.dataset.kilobytes)));
    try {
      const read = await (this.model ??= openModel(this.dataset));
      this.now ??= this.own ??= await write(read, this.dataset.target!.split(' '), UNCHANGED);
      return read;
    } catch (error) {
      this.fail(error as Error);
      throw error;
    }
  }

  private fail({ message }: Error): void {
    this.model = null;
    this.say(texts.noModel(message));
  }

  private wait(): void {
    this.isSlow = true;
    this.say(texts.STILL_WRITING);
  }

  /** Stops what is being written; or else everything is again as the model wrote it. */
  private readonly undo = (): void => {
    this.turn++;
    this.undone++;
    if (this.isSlow) return this.show();
    this.chosen = null;
    this.accept(this.own!, UNCHANGED);
    this.querySelector<HTMLElement>('.read .w')!.focus();
  };

  // What it shows.

  private get source(): string[] {
    return this.dataset.source!.split(' ');
  }

  private show(): void {
    this.isSlow = false;
    const { words, weights } = this.now!;
    const hint = this.chosen === null ? texts.PRESS_TO_HIDE : texts.pressToPull(words[this.chosen]!);
    this.fill('.do', inItalics(hint));
    this.showHidden();
    this.fill(
      '.written',
      words.map((word, t) => this.written(word, t)),
    );
    this.querySelector<HTMLElement>('.written')!.style.setProperty('--count', String(words.length));
    this.fill('svg', linksOf(weights, words.length, this.chosen).map(drawn));
    this.say(this.sentence());
  }

  private showHidden(): void {
    for (const [place, word] of this.querySelectorAll('.read .w').entries())
      word.setAttribute('aria-pressed', String(this.change.hidden.includes(place)));
  }

  private written(word: string, t: number): TemplateResult {
    const isNew = !this.own!.words.includes(word);
    return html`<button type="button" class="w ${isNew ? 'new' : ''}" aria-pressed=${t === this.chosen}>
      ${word}
    </button>`;
  }

  private sentence(): string {
    const { own, now, change, chosen, source } = this;
    const { hidden, pulls } = change;
    const pull = pulls.find(({ at }) => at === chosen);
    if (pull) return texts.pulledTo(source[pull.to]!, this.unpulled!.words[pull.at]!, this.differs(this.unpulled!));
    if (chosen !== null) {
      const row = now!.weights[chosen]!;
      return texts.looksMost(now!.words[chosen]!, source[largest(row)]!, Math.max(...row));
    }
    if (hidden.length)
      return texts.without(
        hidden.map((place) => source[place]!),
        this.differs(own!),
      );
    return texts.AS_IT_WRITES;
  }

  private differs(before: Written): [gone: string[], come: string[]] {
    return difference(before.words, this.now!.words);
  }

  private say(sentence: string): void {
    this.fill('.say', inItalics(sentence));
    const isChanged = this.now !== this.own || this.chosen !== null || this.isSlow;
    const words = this.isSlow ? texts.STOP : texts.UNDO_ALL;
    const button = html`<button type="button" class="btn" @click=${this.undo}>${words}</button>`;
    this.fill('.undo', isChanged ? button : nothing);
  }

  /** Lit renders beside what is there already, which the build has written; a word there may have the focus. */
  private fill(part: string, content: unknown): void {
    const place = this.querySelector<HTMLElement & { filled?: true }>(part)!;
    const focused = [...place.children].indexOf(document.activeElement!);
    if (!place.filled) place.replaceChildren();
    place.filled = true;
    render(content, place);
    if (focused >= 0) (place.children[focused] as HTMLElement | undefined)?.focus();
  }
}

const drawn = ({ path, weight, lit }: ReturnType<typeof linksOf>[number]): TemplateResult =>
  svg`<path class=${lit ? 'lit' : ''} d=${path} style="--p: ${weight.toFixed(3)}" />`;

const toggled = (places: readonly number[], place: number): number[] =>
  places.includes(place) ? places.filter((each) => each !== place) : [...places, place].sort((a, b) => a - b);

customElements.define('u-translator', Translator);
