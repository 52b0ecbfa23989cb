// <u-try>: a setting, an input or a pair of the model to change, in the middle of the text.
import { html, nothing, type TemplateResult } from 'lit';
import { asSet } from '../lab';
import { LabElement } from '../shell/lab-element';
import { isMask, refusal } from '../views/edit-value';
import { namesIn } from '../views/labels';
import { parseNumber } from '../views/numbers';
import { perform } from './changes';
import { choices } from './choices';
import { findNode } from './find-node';
import { currentExperiment, lessonData, ownExperiment, type LessonData } from './lesson-data';
import { toSetting } from './setting';
import { cellCount, type TextPair, type TraceNode } from '../types';
import type { Names } from '../views/summary';

const text = (x: number): string =>
  String(Number(x.toPrecision(6)))
    .replace('Infinity', 'inf')
    .replace('-', '−');

/** What a setting that is true or false is called. */
const SWITCH: Record<string, string> = { true: 'on', false: 'off' };

/** Among pairs with targets one without is what the model writes itself. */
const pairText = ([source, target]: TextPair, all: readonly TextPair[]): string =>
  all.some(([, other]) => other) ? `${source} → ${target || '?'}` : source;

export class Try extends LabElement {
  static override properties = { labels: { state: true }, refused: { state: true } };
  declare labels: LessonData['labels'];
  /** Why the typed value was not taken. */
  declare refused: string;
  private shown: Float32Array = new Float32Array();

  constructor() {
    super();
    this.labels = {};
    this.refused = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void lessonData().then(({ labels }) => (this.labels = labels));
  }

  protected override render(): TemplateResult | typeof nothing {
    const { set, input, pairs } = this.dataset;
    if (pairs) return this.pairs(JSON.parse(pairs) as TextPair[]);
    if (set) return this.setting(set, this.dataset.values!.split(' '));
    const node = this.lab.trace && findNode(this.lab.trace, input!);
    const values = node && (this.lab.values(node) ?? this.last(node));
    return node && values ? this.grid(node, values) : nothing;
  }

  // A setting: its listed values as buttons, and a field for any other number.

  private setting(name: string, values: readonly string[]): TemplateResult {
    const now = String(this.lab.config()[name] ?? '');
    const numeric = values.every((value) => !Number.isNaN(Number(value)));
    return html`<div class="row">
      ${choices(
        name,
        values.map((value) => ({ value, label: SWITCH[value] ?? value.replaceAll('_', ' ') })),
        (value) => value === now,
        (value) => this.set(name, toSetting(value)),
      )}
      ${numeric ? this.other(name, now) : nothing}
    </div>`;
  }

  private other(name: string, now: string): TemplateResult {
    const change = async (event: Event): Promise<void> => {
      const field = event.target as HTMLInputElement;
      const done = await this.set(name, parseNumber(field.value) ?? field.value);
      if (!done) field.value = now;
    };
    return html`<label class="other"
      >${name.replaceAll('_', ' ')}
      <input class="entry" inputmode="decimal" autocomplete="off" .value=${now} @change=${change}
    /></label>`;
  }

  private async set(name: string, value: number | string | boolean): Promise<boolean> {
    const settings = { [name]: value };
    const done = await this.lab.configure(settings, { inputs: asSet(settings) });
    if (done) this.look();
    return done;
  }

  /** The workbench shows what the change did. */
  private look(): void {
    const { at } = this.dataset;
    const node = at && this.lab.trace ? findNode(this.lab.trace, at) : undefined;
    if (node) this.lab.focus({ at: node.name });
  }

  // What the model reads: a button for each pair.

  private pairs(pairs: readonly TextPair[]): TemplateResult {
    const now = String(currentExperiment().pair ?? '');
    return choices(
      'What it reads',
      pairs.map((pair) => ({ value: pair, label: pairText(pair, pairs) })),
      (pair) => String(pair) === now,
      (pair) => this.read(pair),
    );
  }

  private async read(pair: TextPair): Promise<void> {
    if (await this.lab.read(...pair)) this.look();
  }

  // An input: a field for each of its numbers.

  /** Those of the run before stay until the new ones are there: nobody loses the field that is being typed into. */
  private last({ shape }: TraceNode): Float32Array | undefined {
    return this.shown.length === cellCount(shape) ? this.shown : undefined;
  }

  private grid(node: TraceNode, values: Float32Array): TemplateResult {
    this.shown = values;
    const columns = node.shape.at(-1) ?? 1;
    const rows = values.length / columns;
    const changed =
      this.lab.state.inputs.some(({ name }) => name === node.name) ||
      this.lab.state.edits.some(({ name }) => name === node.name);
    return html`<div class="numbers" style=${`--columns: ${columns}`} role="group" aria-label=${node.name}>
        ${Array.from({ length: rows }, (_, row) => this.line(node, values.subarray(row * columns, (row + 1) * columns), row, rows > 1))}
      </div>
      <p class="refused" role="alert">${this.refused}</p>
      <div class="row">
        <button type="button" class="btn quiet" ?disabled=${!changed} @click=${() => this.restore(node)}>
          Reset ${node.name}
        </button>
      </div>`;
  }

  private names(node: TraceNode): Names {
    return namesIn(this.labels, this.lab.trace!, node);
  }

  private line(node: TraceNode, values: Float32Array, row: number, named: boolean): TemplateResult {
    const { rows, columns } = this.names(node);
    const rowName = rows?.[row] ?? row;
    return html`${named ? html`<span class="row-name">${rowName}</span>` : nothing}${Array.from(
      values,
      (value, column) => {
        const name = [...(named ? [`row ${rowName}`] : []), columns?.[column] ?? `column ${column}`].join(', ');
        const index = row * values.length + column;
        return html`<input
          class="entry"
          inputmode="decimal"
          autocomplete="off"
          aria-label=${`${node.name}, ${name}`}
          .value=${text(value)}
          @change=${(event: Event) => this.put(node, index, event.target as HTMLInputElement)}
        />`;
      },
    )}`;
  }

  /** What cannot be a value is refused in a sentence, and the field shows again what is in force. */
  private async put(node: TraceNode, index: number, field: HTMLInputElement): Promise<void> {
    const old = text(this.shown[index]!);
    this.refused = refusal(node, index, field.value, this.names(node), isMask(node));
    if (this.refused) return void (field.value = old);
    const value = parseNumber(field.value)!;
    void this.lab.undoEdit(node.name, index);
    if (await this.lab.setInput(node.name, (now) => [...now].with(index, value))) this.look();
    else field.value = old;
  }

  private restore({ name }: TraceNode): void {
    const own = this.lab.probe(async (session) => {
      const run = await perform(session, ownExperiment());
      return (await run.lookup([name]))(name)!.values;
    });
    void this.lab.setInput(name, own);
  }
}

customElements.define('u-try', Try);
