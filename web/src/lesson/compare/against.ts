// <u-against>: on the workbench, the learner's program beside what the lab has in its place, with the same task and seed.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import '../lesson.css';
import './compare.css';
import { hasTask, ownDataIn } from '../../engine/own-data';
import { cellCount, type Config, type Reply, type Trace } from '../../engine/types';
import { isNamed } from '../../figures/shared/marks';
import { TEST_PAIRS } from '../../lab/training';
import { learnsTexts, OWN, recipe } from '../../workbench/settings';
import { CompareTraining } from './compare-training';
import type { ShouldContinue } from './compare-trial';
import type { Runner } from './compare-runner';

/** Training steps at most: both are trained, one after the other. */
const MOST_STEPS = 300;

export class Against extends CompareTraining {
  protected override readonly topics = ['run'] as const;
  static override properties = { ...CompareTraining.properties, difference: { state: true } };
  /** Before training: the first tensor that differs, in words. */
  declare difference: string;

  constructor() {
    super();
    this.difference = '';
  }

  private get isOffered(): boolean {
    const config = this.lab.config();
    return config.program !== undefined && hasTask(config);
  }

  protected override willUpdate(_: PropertyValues): void {
    this.classList.toggle('ex', this.isOffered);
    if (this.running || !this.isOffered) return;
    const { steps } = this.lab.config();
    this.comparison = {
      kind: 'training',
      steps: Math.min(typeof steps === 'number' ? steps : MOST_STEPS, MOST_STEPS),
      pairs: TEST_PAIRS,
      runs: [
        { label: texts.YOURS, with: {} },
        { label: texts.THE_LABS, with: { program: '' } },
      ],
    };
  }

  protected override async configOf(settings: Config): Promise<Config> {
    const { program, part, ...config } = this.lab.config();
    if (settings.program === undefined) return { ...config, program: program!, ...(part !== undefined && { part }) };
    return part === undefined ? this.counterpart(config) : config;
  }

  /** The lab's own model for the task of a whole model that the learner wrote. */
  private async counterpart(config: Config): Promise<Config> {
    const own = ownDataIn(config);
    const kind = learnsTexts(config.kind) ? 'transformer_lm' : 'seq2seq';
    const settings = await recipe((task, model) => this.lab.recipe(task, model), String(config.task ?? OWN), { kind });
    return { kind, ...settings, seed: config.seed!, ...(own ? { [own.what]: own.data } : { task: config.task! }) };
  }

  protected override async work(shouldContinue: ShouldContinue): Promise<void> {
    this.difference = '';
    const { part } = this.lab.config();
    if (part !== undefined) this.difference = await this.firstDifference();
    await super.work(shouldContinue);
  }

  /** Of the tensors that both have, by name, when both read the pair on the bench. */
  private async firstDifference(): Promise<string> {
    const [mine, own] = await Promise.all(this.runners.map((runner) => this.traceOf(runner)));
    if (!mine?.ok || !own?.ok) return '';
    for (const node of mine.value.nodes) {
      const other = own.value.nodes.find(({ name }) => name === node.name);
      if (node.phase !== 'forward' || !isNamed(node) || !other || cellCount(other.shape) !== cellCount(node.shape))
        continue;
      const [a, b] = await Promise.all([
        this.runners[0]!.session.values(node.id),
        this.runners[1]!.session.values(other.id),
      ]);
      if (!a.ok || !b.ok) return '';
      const most = a.value.reduce((largest, x, i) => Math.max(largest, Math.abs(x - b.value[i]!)), 0);
      if (most > 0) return texts.firstDifference(node.name, most.toPrecision(2));
    }
    return texts.SAME_BITS;
  }

  private async traceOf({ session }: Runner): Promise<Reply<Trace>> {
    const { pair, task } = this.lab;
    const text = (words: readonly string[]): string => words.join(task?.separator ?? '');
    if (pair) await session.read(text(pair.source), text(pair.target));
    return session.trace();
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.isOffered) return nothing;
    return html`<h3>${texts.AGAINST}</h3>
      <p>${texts.aboutAgainst(this.comparison.steps)}</p>
      ${super.render()}
      <p class="hint">${this.difference}</p>`;
  }
}

customElements.define('u-against', Against);
