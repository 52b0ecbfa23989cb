// <u-against>: on the workbench, the learner's program beside what the lab has in its place, with the same task and seed.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import '../lesson.css';
import { kindOf } from '../../engine/kinds';
import { hasTask, ownDataIn } from '../../engine/own-data';
import type { RemoteSession } from '../../engine/remote';
import { configKey, type Config, type TextPair } from '../../engine/types';
import { LabElement } from '../../ui/lab-element';
import { significant } from '../../ui/numbers';
import { TEST_PAIRS } from '../../lab/training';
import { OWN, recipe, type Recipes } from '../../workbench/settings';
import { firstDifference, tracedBy } from './beside/first-difference';
import { TrainingJob } from './training';
import { Work } from './work';
import type { ComparisonOf } from '../format/comparisons';
import type { Runner } from './trials';

/** Training steps at most: both are trained, one after the other. */
const MOST_STEPS = 300;

export class Against extends LabElement {
  protected readonly topics = ['run'] as const;
  static override properties = { difference: { state: true } };
  /** Before training: the first tensor that differs, in words. */
  difference = '';
  /** The configKey of the model that is compared. */
  private model = '';
  private comparison!: ComparisonOf<'training'>;
  private readonly job = new TrainingJob(
    () => this.lab.page,
    () => this.comparison,
  );
  private readonly work = new Work(this, this.job, {
    configOf: (settings) => this.configOf(settings),
    onLoaded: (runners) => this.compareAtFirst(runners),
  });

  private get isOffered(): boolean {
    const config = this.lab.config();
    return config.program !== undefined && hasTask(config);
  }

  protected override willUpdate(_: PropertyValues): void {
    this.classList.toggle('ex', this.isOffered);
    if (this.work.running || !this.isOffered) return;
    this.forgetOthers();
    const { steps } = this.lab.config();
    this.comparison = {
      kind: 'training',
      steps: Math.min(typeof steps === 'number' ? steps : MOST_STEPS, MOST_STEPS),
      pairs: TEST_PAIRS,
      costs: true,
      runs: [
        { label: texts.YOURS, with: {} },
        { label: texts.THE_LABS, with: { program: '' } },
      ],
    };
  }

  /** Results of a program or of settings that are no longer those on the bench say nothing about these. */
  private forgetOthers(): void {
    const now = configKey(this.lab.config());
    if (now === this.model) return;
    this.model = now;
    this.work.forget();
    this.job.forget();
    this.difference = '';
  }

  private async configOf(settings: Config): Promise<Config> {
    const { program, part, ...config } = this.lab.config();
    if (settings.program === undefined) return { ...config, program: program!, ...(part !== undefined && { part }) };
    return part === undefined ? this.counterpart(config) : config;
  }

  /** The lab's own model for the task of a whole model that the learner wrote. */
  private async counterpart(config: Config): Promise<Config> {
    const own = ownDataIn(config);
    const kind = kindOf(config.kind).rival!;
    const recipes: Recipes = (task, model) => this.lab.queries.recipe(task, model);
    const settings = await recipe(recipes, String(config.task ?? OWN), { kind });
    return { kind, ...settings, seed: config.seed!, ...(own ? { [own.what]: own.data } : { task: config.task! }) };
  }

  private async compareAtFirst(runners: readonly Runner[]): Promise<void> {
    this.difference = this.lab.config().part === undefined ? '' : await this.firstDifference(runners);
  }

  /** Of the tensors that both have, by name, when both read the pair on the bench. */
  private async firstDifference(runners: readonly Runner[]): Promise<string> {
    const { pair, task } = this.lab;
    const text = (words: readonly string[]): string => words.join(task?.separator ?? '');
    const read: TextPair | null = pair && [text(pair.source), text(pair.target)];
    const [mine, own] = await Promise.all(runners.map(({ session }) => tracedBy(session as RemoteSession, read)));
    const found = await firstDifference(mine!, own!);
    if (!found?.compared) return '';
    const [a, b] = found.gap?.values ?? [];
    if (!found.gap) return texts.sameBits(found.compared);
    return texts.firstDifference(found.gap.name, significant(a!, 7), significant(b!, 7));
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.isOffered) return nothing;
    return html`<h3>${texts.AGAINST}</h3>
      <p>${texts.aboutAgainst(this.comparison.steps)}</p>
      ${this.work.render()}
      <p class="hint">${this.difference}</p>`;
  }
}

customElements.define('u-against', Against);
