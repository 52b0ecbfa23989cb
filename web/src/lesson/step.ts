// <u-step data-at="α" data-cell="0,2" data-given='{"cell":"lstm"}'>: a paragraph about one tensor. Its button applies
// the settings of data-given and moves the workbench there; it is marked while the cursor is there.
import { SHOW_ON_BENCH, showOnBench, showOnBenchWith } from '#messages/lesson/controls';
import { resetInputs } from '../lab/changes';
import { hostOf, type Lab, type LabHost } from '../lab/lab';
import { byName, sortChanges, flatten, type Sorted, variantOf } from './changes';
import { findNode } from '../lab/cursor';
import { holdsWith, otherSettings, currentExperiment, givenIn } from './lesson-data';
import type { Stage, TraceNode } from '../engine/types';

const TOPICS = ['run', 'cursor'] as const;

export class Step extends HTMLElement {
  /** When a step's button was last pressed, by performance.now(). */
  static pressed = -Infinity;
  /** The one that is being read. */
  static entered: Step | null = null;
  /** The scene of what the controls in the text change. */
  static readonly TRY = 'try';
  /** The scene on each bench, if it is not that of the lesson's own model; see scenes.ts. */
  static readonly scenes = new WeakMap<Lab, string>();

  /** Brings the model of a step as the lesson made it, once scenes.ts is there. */
  static bring: ((step: Step) => Promise<boolean>) | null = null;

  host!: LabHost;
  lab!: Lab;
  private readonly onChange = (): void => this.mark();

  connectedCallback(): void {
    this.host = hostOf(this);
    this.lab = this.host.lab;
    if (!this.querySelector('.to-bench')) this.addButton();
    for (const topic of TOPICS) this.lab.addEventListener(topic, this.onChange);
    this.mark();
  }

  disconnectedCallback(): void {
    for (const topic of TOPICS) this.lab.removeEventListener(topic, this.onChange);
  }

  /** The paragraph's tensor; undefined also while the workbench does not have the settings of data-given. */
  get node(): TraceNode | undefined {
    const { trace } = this.lab;
    return trace && this.missing().length === 0 ? findNode(trace, this.dataset.at!) : undefined;
  }

  /** Which model it speaks of, however long it is trained: the other settings of data-given; "" for the lesson's own. */
  get scene(): string {
    const { steps: _, ...model } = givenIn(this);
    return Object.keys(model).length ? JSON.stringify(model) : '';
  }

  /** A list is an input if the model has one of that name. */
  get changes(): Sorted {
    const inputs = this.lab.info?.inputs.map(({ name }) => name);
    return sortChanges(givenIn(this), inputs ?? []);
  }

  /** Names in data-given whose value the workbench does not have, or that an edit overrides. */
  private missing(): string[] {
    const now = flatten(currentExperiment(this.lab));
    const edited = new Set(this.lab.state.edits.map(({ name }) => name));
    return Object.entries(flatten(this.changes)).flatMap(([name, value]) =>
      value === null || (String(now[name]) === String(value) && !edited.has(name)) ? [] : [name],
    );
  }

  /** Brings the workbench here, with the settings of data-given. */
  async open(): Promise<void> {
    Step.pressed = performance.now();
    const missing = this.missing();
    const on = Step.scenes.get(this.lab) ?? this.scene;
    Step.entered = this;
    Step.scenes.set(this.lab, this.scene);
    this.lab.followLesson(); // who asks to see it wants the stage that shows it
    if (on !== this.scene && on !== Step.TRY && Step.bring) await Step.bring(this);
    else if (missing.length) await this.applyChanges(missing);
    else if (!this.node) await this.applyLesson();
    this.show();
  }

  private async applyChanges(missing: readonly string[]): Promise<void> {
    const { lab } = this;
    const { config, pair, steps, inputs } = this.changes;
    if (missing.every((name) => name === 'pair')) return void (await lab.read(...pair!));
    await lab.configure(({ seed: _, ...now }) => variantOf(now, config), {
      pair: pair ?? undefined,
      steps: steps ?? undefined,
      inputs: { ...resetInputs(config), ...byName(inputs) },
    });
  }

  /** Restores the lesson's settings: with those of the bench there is no such tensor. */
  private async applyLesson(): Promise<void> {
    const own = otherSettings(this.lab, this.changes.config);
    await this.lab.configure(own, { inputs: resetInputs(own) });
  }

  /** Moves the workbench to this paragraph's tensor. False if this run does not have it. */
  show(): boolean {
    const { node } = this;
    if (!node) return false;
    const { stage, view } = this.dataset;
    if (stage) this.lab.speakOf(stage as Stage);
    if (view) this.lab.choose('picture', { look: view });
    this.lab.focus({ at: node.name, cell: this.dataset.cell?.split(',').map(Number) });
    return true;
  }

  private addButton(): void {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link to-bench';
    button.textContent = SHOW_ON_BENCH;
    button.setAttribute('aria-label', showOnBench(this.dataset.at!));
    button.addEventListener('click', () => void this.open());
    const last = this.lastElementChild;
    if (last?.tagName === 'P') last.append(' ', button);
    else this.append(button);
  }

  private mark(): void {
    const { cursor, trace } = this.lab;
    const { node } = this;
    const holds = holdsWith(this.lab, this.changes.config);
    const contradicted = holds !== '' && this.querySelector('data.val:not(.given)') !== null; // numbers that the bench contradicts
    this.classList.toggle('here', node !== undefined && node.id === cursor.node && !contradicted);
    const gone = trace !== null && node === undefined && this.missing().length === 0;
    const button = this.querySelector<HTMLButtonElement>('.to-bench')!;
    const words = gone && holds ? showOnBenchWith(holds) : SHOW_ON_BENCH;
    if (button.textContent !== words) button.textContent = words;
    button.hidden = gone && !holds;
  }
}

customElements.define('u-step', Step);
