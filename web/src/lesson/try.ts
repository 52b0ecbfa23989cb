// <u-try>: controls in the text that change a setting, an input or the pair of the model.
import { elementOf, numbersHold, OFF, ON, reset, WHAT_IT_READS } from '#messages/lesson/controls';
import { nameOf } from '#messages/ui';
import { html, nothing, type TemplateResult } from 'lit';
import { resetInputs } from '../lab/changes';
import { LabElement } from '../ui/lab-element';
import { isMask, validationError } from '../figures/shared/edit-value';
import { type Names, namesOf } from '../figures/shared/summary';
import { parseNumber, rounded } from '../ui/numbers';
import { choices } from '../ui/choices';
import { findNode } from '../lab/cursor';
import { holdsWith, currentExperiment, ownExperiment } from './lesson-data';
import { toSetting } from './changes';
import { cellCount, type Config, type State, type TextPair, type TraceNode } from '../engine/types';

const text = (x: number): string => rounded(x, 6);

/** Labels of boolean values. */
const SWITCH: Record<string, string> = { true: ON, false: OFF };

/** Where any pair has a target, "?" stands for the one that the model generates. */
const pairText = ([source, target]: TextPair, all: readonly TextPair[]): string =>
  all.some(([, other]) => other) ? `${source} → ${target || '?'}` : source;

export class Try extends LabElement {
  protected readonly topics = ['run', 'values'] as const;
  static override properties = { refused: { state: true } };
  /** Why the typed value was refused. */
  refused = '';
  private shown: Float32Array = new Float32Array();

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
        values,
        (value) => value === now,
        (value) => this.set(name, toSetting(value)),
        (value) => SWITCH[value] ?? nameOf(value),
      )}
      ${numeric ? this.other(name, now) : nothing}
      <p class="hint holds" role="status">${this.held}</p>
    </div>`;
  }

  private get held(): string {
    const holds = holdsWith(this.lab);
    return holds && 'holds' in this.dataset ? numbersHold(holds) : '';
  }

  private other(name: string, now: string): TemplateResult {
    const change = async (event: Event): Promise<void> => {
      const field = event.target as HTMLInputElement;
      const done = await this.set(name, parseNumber(field.value) ?? field.value);
      if (!done) field.value = now;
    };
    return html`<label class="other"
      >${nameOf(name)} <input class="entry" inputmode="decimal" autocomplete="off" .value=${now} @change=${change}
    /></label>`;
  }

  private async set(name: string, value: number | string | boolean): Promise<boolean> {
    const settings = { [name]: value };
    let before = this.lab.state;
    const change = (): Config => {
      before = this.lab.state; // once the model that the text speaks of has come
      return settings;
    };
    const { ok } = await this.lab.configure(change, { inputs: resetInputs(settings) });
    if (ok) this.showEffect(before);
    return ok;
  }

  /**
   * Moves the workbench to the tensor that shows what the change did. With the state `before` the next step undoes it; what
   * the reader typed stays.
   */
  private showEffect(before?: State): void {
    if (before) void import('./scenes').then(({ enterTry }) => enterTry(this, before));
    const { at } = this.dataset;
    const node = at && this.lab.trace ? findNode(this.lab.trace, at) : undefined;
    if (node) this.lab.focus({ at: node.name });
  }

  // What the model reads: a button for each pair.

  private pairs(pairs: readonly TextPair[]): TemplateResult {
    const now = String(currentExperiment(this.lab).pair ?? '');
    return choices(
      WHAT_IT_READS,
      pairs,
      (pair) => String(pair) === now,
      (pair) => this.read(pair),
      (pair) => pairText(pair, pairs),
    );
  }

  private async read(pair: TextPair): Promise<void> {
    const before = this.lab.state;
    if ((await this.lab.read(...pair)).ok) this.showEffect(before);
  }

  // An input: a field for each of its values.

  /** Values of the previous run stay until the new ones arrive, so that a field in use is not removed. */
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
          ${reset(node.name)}
        </button>
      </div>`;
  }

  private names(node: TraceNode): Names {
    return namesOf(this.lab, node);
  }

  private line(node: TraceNode, values: Float32Array, row: number, named: boolean): TemplateResult {
    const { rows, columns } = this.names(node);
    const rowName = rows?.[row] ?? row;
    return html`${named ? html`<span class="row-name">${rowName}</span>` : nothing}${Array.from(
      values,
      (value, column) => {
        const index = row * values.length + column;
        return html`<input
          class="entry"
          inputmode="decimal"
          autocomplete="off"
          aria-label=${elementOf(node.name, named ? rowName : null, columns?.[column] ?? column)}
          .value=${text(value)}
          @change=${(event: Event) => this.put(node, index, event.target as HTMLInputElement)}
        />`;
      },
    )}`;
  }

  /** Refuses an invalid value with a sentence, and reverts the field to the current value. */
  private async put(node: TraceNode, index: number, field: HTMLInputElement): Promise<void> {
    const old = text(this.shown[index]!);
    this.refused = validationError(node, index, field.value, this.names(node), isMask(node));
    if (this.refused) return void (field.value = old);
    const value = parseNumber(field.value)!;
    if (await this.lab.setInput(node.name, (now) => [...now].with(index, value), index)) this.showEffect();
    else field.value = old;
  }

  /** What runs the lesson's own experiment is fetched for it. */
  private async restore({ name }: TraceNode): Promise<void> {
    const { perform } = await import('./run');
    const own = this.lab.probe(async (session) => {
      const run = await perform(session, ownExperiment(this));
      return (await run.lookup([name]))(name)!.values;
    });
    void this.lab.setInput(name, own);
  }
}

customElements.define('u-try', Try);
