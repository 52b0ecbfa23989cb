// <u-sweep .node>: changes the parts of a tensor one after another, and shows what that does to each token of the target:
// of scores, each source word is hidden; of other tensors, each row or the tensor at each position is silent.
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/what-if';
import '../../figures/sweep/sweep-map';
import type { SweepData } from '../../figures/sweep/sweep-map';
import type { Intervention, Trace, TraceNode } from '../../engine/types';
import type { Lab } from '../../lab/lab';
import { LabElement, states } from '../../ui/lab-element';
import { EOS, sourceColumns, targetWords } from '../../ui/words';
import { atEveryPosition } from './parts';

interface Trial {
  part: string;
  change: Intervention;
}

/** What is tried in turn; none if the tensor has one part only. */
export function trialsOf(lab: Lab, trace: Trace, node: TraceNode): Trial[] {
  const [rows = 1, columns = 1] = node.shape.slice(-2);
  const before = node.shape.slice(0, -2).map(() => ':');
  const change = (kind: string, tensor: string): Intervention => ({
    ...{ kind, tensor, training: false, source: '', target: '' },
  });
  const everywhere = atEveryPosition(node.name);
  if (node.role === 'score' && columns > 1)
    return namesOf(lab, columns).map((part, i) => ({
      part,
      change: change('hidden', `${everywhere}[${[...before, ':', i].join(', ')}]`),
    }));
  if (node.shape.length > 1 && rows > 1)
    return namesOf(lab, rows).map((part, i) => ({
      part,
      change: change('zero', `${node.name}[${[...before, i].join(', ')}]`),
    }));
  const same = trace.nodes.filter(({ name }) => everywhere !== node.name && atEveryPosition(name) === everywhere);
  return same.length > 1 ? same.map(({ name }, t) => ({ part: `t = ${t}`, change: change('zero', name) })) : [];
}

/** The words of the source if there are as many; else numbers. */
function namesOf(lab: Lab, count: number): string[] {
  const words = sourceColumns(lab, count);
  return words.length === count ? words : Array.from({ length: count }, (_, i) => `${i}`);
}

export class Sweep extends LabElement {
  protected readonly topics = ['run'] as const;
  static override properties = { node: { attribute: false }, ...states('done', 'data', 'of') };

  declare node: TraceNode;
  /** Trials made; null while none is being made. */
  done: number | null = null;
  of = 0;
  data: SweepData | null = null;
  #stopped = false;
  #shown: unknown = null;

  /** What it found is of this run alone. */
  protected override willUpdate(): void {
    if (this.#shown === this.lab.run) return;
    this.#shown = this.lab.run;
    this.#stopped = true;
    this.data = null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { trace, pair } = this.lab;
    if (!trace || !pair || !trialsOf(this.lab, trace, this.node).length) return nothing;
    const begin = (): void => void this.#try(trialsOf(this.lab, trace, this.node));
    return html`<div class="acts">
        ${
          this.done === null
            ? html`<button type="button" class="btn small" title=${texts.SWEEP_MEANS} @click=${begin}>
                ${texts.SWEEP}
              </button>`
            : html`<button type="button" class="btn small" @click=${() => (this.#stopped = true)}>${texts.STOP}</button>
                <span role="status">${texts.tried(this.done, this.of)}</span>`
        }
      </div>
      ${this.data ? html`<u-sweep-map .data=${this.data}></u-sweep-map>` : nothing}`;
  }

  async #try(trials: readonly Trial[]): Promise<void> {
    const { engine, state } = this.lab;
    const { words, promptLength } = targetWords(this.lab);
    const before = await engine.outcome(state.interventions, '');
    if (!before.ok) return this.lab.reportRefusal(before);
    const tokens = [...words, EOS].slice(0, before.value.logProbabilities.length);
    const data: SweepData = { parts: [], tokens: tokens.slice(promptLength), changes: [], losses: [] };
    this.#stopped = false;
    this.of = trials.length;
    for (const [i, { part, change }] of trials.entries()) {
      this.done = i;
      const reply = await engine.outcome([...state.interventions, change], '');
      if (!reply.ok) this.lab.reportRefusal(reply);
      if (!reply.ok || this.#stopped || !this.isConnected) break;
      const after = reply.value.logProbabilities;
      data.parts.push(part);
      data.losses.push(reply.value.loss);
      data.changes.push(...tokens.map((_, t) => after[t]! - before.value.logProbabilities[t]!).slice(promptLength));
    }
    this.done = null;
    if (data.parts.length) this.data = data;
  }
}

customElements.define('u-sweep', Sweep);
