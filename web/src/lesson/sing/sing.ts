// <u-sing data-input="target_in" data-choose="4" data-words="sun sea">: a line as words, which the reader chooses, and how
// the language model goes on with it, as it is now.
import './sing.css';
import * as texts from '#messages/lesson/sing';
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement, states } from '../../ui/lab-element';
import { argmax, namesOf } from '../../figures/shared/summary';
import { fixed } from '../../ui/numbers';
import { type Parts, rowOf, sing, type SungWord } from './song';
import type { TraceNode } from '../../engine/types';

/** The first line. */
const LINE = 0;

interface Song {
  /** The model and the line that it was sung to. */
  of: string;
  words: SungWord[];
}

export class Sing extends LabElement {
  protected readonly topics = ['run', 'values', 'training', 'activity'] as const;
  static override properties = states('song', 'singing', 'chosen');
  song: Song | null = null;
  singing = false;
  /** The sung word whose look is shown. */
  chosen: number | null = null;
  /** Values of the run before stay until those of the new one arrive. */
  #line: number[] = [];

  /** Words that the reader chooses: they stand after the beginning of the line and before the sign to repeat. */
  get #choose(): number {
    return Number(this.dataset.choose);
  }

  get #parts(): Parts | null {
    const { lab } = this;
    const [input, logP] = [lab.node(this.dataset.input!), lab.node('log p')];
    return input && logP ? { input, logP, weights: lab.node('attention/α') } : null;
  }

  /** The tokens of the line, from its beginning to the sign to repeat. */
  #given({ input }: Parts): number[] {
    const values = this.lab.values(input);
    if (values && !this.singing) this.#line = [...rowOf(values, input, LINE).subarray(0, this.#choose + 2)];
    return this.#line;
  }

  /** A song is shown for as long as the model and the line are those that it was sung with. */
  #state(given: readonly number[]): string {
    const { edits, interventions } = this.lab.state;
    const others = edits.filter(({ name }) => name !== this.dataset.input);
    return JSON.stringify([this.lab.config(), this.lab.training.step, interventions, others, given]);
  }

  protected override render(): TemplateResult | typeof nothing {
    const parts = this.#parts;
    const given = parts ? this.#given(parts) : [];
    if (!parts || !given.length) return nothing;
    const tokens = namesOf(this.lab, parts.logP).columns ?? [];
    const words = this.song?.of === this.#state(given) ? this.song.words : [];
    const line = [...given, ...words.map(({ token }) => token)].map((token) => tokens[token] ?? String(token));
    const rest = parts.input.shape.at(-1)! - given.length + 1;
    const seen = words[this.chosen ?? -1]?.weights;
    const look = (at: number): number => seen?.[at] ?? 0;
    return html`<ol class="song" style=${`--choose: ${this.#choose}`} aria-label=${texts.LINE}>
        ${given.map((_, at) => html`<li style=${`--look: ${look(at)}`}>${this.#token(parts, tokens, line, at)}</li>`)}
        ${Array.from(
          { length: rest },
          (_, i) =>
            html`<li class="sung" style=${`--i: ${i}; --look: ${look(given.length + i)}`}>
              ${words[i] ? this.#sung(parts, words[i], line[given.length + i]!, i) : html`<span>${texts.NOT_SUNG}</span>`}
            </li>`,
        )}
      </ol>
      <div class="row">
        <button type="button" class="btn" ?disabled=${!this.#ready} @click=${() => this.#sing(given)}>
          ${texts.SING}
        </button>
      </div>
      <p class="hint" role="status">${this.#told(parts, words, line)}</p>`;
  }

  get #ready(): boolean {
    return !this.singing && this.lab.training.status !== 'running' && !this.lab.busy;
  }

  /** A word to choose, or what cannot be chosen: the beginning, and the sign to repeat. */
  #token(parts: Parts, tokens: readonly string[], line: readonly string[], at: number): TemplateResult {
    const now = line[at]!;
    if (at === 0 || at > this.#choose) return html`<span>${now}</span>`;
    const choose = (event: Event): void =>
      void this.#put(parts, at, tokens.indexOf((event.target as HTMLSelectElement).value));
    return html`<select
      aria-label=${texts.wordAt(this.#place(parts, at))}
      ?disabled=${!this.#ready}
      .value=${now}
      @change=${choose}
    >
      ${this.dataset.words!.split(' ').map((word) => html`<option ?selected=${word === now}>${word}</option>`)}
    </select>`;
  }

  #sung(parts: Parts, { p }: SungWord, word: string, at: number): TemplateResult {
    return html`<button type="button" aria-pressed=${at === this.chosen} @click=${() => this.#look(parts, at)}>
      <span>${word}</span> <small>${fixed(p, 2)}</small>
    </button>`;
  }

  #place({ logP }: Parts, at: number): string {
    return namesOf(this.lab, logP).rows?.[at] ?? String(at);
  }

  #told(parts: Parts, words: readonly SungWord[], line: readonly string[]): string {
    if (!words.length) return '';
    const first = this.#choose + 2;
    const sung = words[this.chosen ?? -1];
    if (!sung) {
      const right = words.filter((_, i) => line[first + i] === line[1 + i]).length;
      return `${texts.tellSong(right, words.length)} ${parts.weights ? texts.PRESS_WORD : ''}`;
    }
    const at = first + this.chosen!;
    const place = sung.weights && argmax([...sung.weights]);
    return texts.tellWord({
      after: line[at - 1]!,
      word: line[at]!,
      p: fixed(sung.p, 3),
      looked:
        place === null
          ? null
          : { place: this.#place(parts, place), word: line[place]!, weight: fixed(sung.weights![place]!, 2) },
    });
  }

  /** Puts the word into the line, and where it comes again. */
  #put({ input }: Parts, at: number, token: number): Promise<void> {
    const places = [at, at + this.#choose + 1].filter((each) => each < input.shape.at(-1)!);
    return this.#read(input, new Map(places.map((index) => [index, token])));
  }

  /** Tokens by their index. The page's own words are no edits. */
  async #read(input: TraceNode, line: ReadonlyMap<number, number>): Promise<void> {
    const { name } = input;
    const now = this.lab.values(input);
    const own = this.lab.page.inputs.find((each) => each.name === name)?.values;
    const changes = [...line].filter(([index, token]) => now?.[index] !== token);
    const others = changes.filter(([index, token]) => own?.[index] !== token);
    for (const [index, token] of changes) if (own?.[index] === token) await this.lab.undoEdit(name, index);
    if (others.length) await this.lab.editAll(others.map(([index, value]) => ({ name, index, value })));
  }

  /** The picture on the bench shows where it looked, in a run that reads what was sung before the word. */
  async #look({ input, weights }: Parts, at: number): Promise<void> {
    this.chosen = at;
    const { lab } = this;
    const [{ words }, first] = [this.song!, this.#choose + 2];
    const looked = words[at]!.weights;
    if (!weights || !looked) return;
    await this.#try();
    await this.#read(input, new Map(words.slice(0, -1).map(({ token }, i) => [first + i, token])));
    lab.speakOf('picture');
    lab.focus({ at: weights.name, cell: [LINE, first + at - 1, argmax([...looked])] });
  }

  /** What is read next of the trained model speaks of the page's own line. */
  async #try(): Promise<void> {
    const { state, training } = this.lab;
    const edits = state.edits.filter(({ name }) => name !== this.dataset.input);
    if (training.step) (await import('../scenes')).enterTry(this, { ...state, edits });
  }

  async #sing(given: readonly number[]): Promise<void> {
    await this.#try();
    const of = this.#state(given);
    this.singing = true;
    this.chosen = null;
    this.song = null;
    try {
      this.song = { of, words: await sing(this.lab, () => this.#parts!, LINE, this.#choose + 1) };
    } finally {
      this.singing = false;
    }
  }
}

customElements.define('u-sing', Sing);
