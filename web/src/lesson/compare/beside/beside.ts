// <u-beside>: on the workbench, another model beside the one there. Two states and one comparison: both run in hidden sessions,
// and the model on the workbench stays as it is.
import * as texts from '#messages/lesson/beside';
import { DRAW_AGAIN, HOW_TO_DRAW, largestGap, YOUR_CURVE } from '#messages/lesson/compare';
import { UNDO } from '#messages/lab';
import { html, nothing, type TemplateResult } from 'lit';
import '../../lesson.css';
import './beside.css';
import '../drawn/draw-curve';
import { hasTask } from '../../../engine/own-data';
import { Refused, unwrap } from '../../../engine/refused';
import { configKey, type Config, type SizeInfo, type TextPair } from '../../../engine/types';
import { csvFile, save } from '../../../figures/host/files';
import { csvTables } from '../../../figures/host/tables';
import { withConfig } from '../../../lab/changes';
import { emptyState } from '../../../lab/link/table';
import { LabElement } from '../../../ui/lab-element';
import { writesTarget } from '../../../ui/words';
import { keptConfig } from '../../../workbench/kept-models';
import type { Recipes } from '../../../workbench/settings';
import { Work } from '../work';
import { fieldsOf, isOffered, startIn } from './fields';
import { BesideJob, stepsOf, type Through } from './job';
import * as other from './other';
import * as rungs from './rungs';
import { gapIn, sourceText, structureIn, writtenHtml, writtenTable } from './through';
import type { Chosen, Compared, Two } from './other';

/** The name under which the page state keeps what is compared: lab/changes.ts keeps it with another task. */
const VIEW = 'beside';
/** Megabytes that the training steps of all models may take at once. */
const MOST_MEGABYTES = 600;
/** Percent, at every length, before anything is drawn. */
const BEGIN = 50;

export class Beside extends LabElement {
  protected readonly topics = ['run', 'choice'] as const;
  static override properties = { refused: { state: true } };
  /** Why there are no two models to compare. */
  refused = '';
  /** What `two` was made of: the model on the workbench and what was chosen. */
  private made = '';
  /** Chosen last, for when the part is opened again. */
  private last: Chosen | null = null;
  private readonly job = new BesideJob();
  private readonly work = new Work(this, this.job, { configOf: (config) => config });

  /** Null: the part is closed. */
  private get chosen(): Chosen | null {
    const kept = this.lab.state.shown[VIEW];
    if (!kept) return null;
    const [chosen, config] = [other.chosenIn(kept), this.lab.config()];
    return chosen && isOffered(config, chosen) ? chosen : { ...startIn(config), seeds: chosen?.seeds ?? 1 };
  }

  private choose(part: Partial<Chosen>): void {
    this.last = { ...(this.chosen ?? startIn(this.lab.config())), ...part };
    this.lab.choose(VIEW, other.keptOf(this.last));
  }

  private readonly toggle = (): void => {
    if (!this.chosen) return this.choose(this.last ?? {});
    const { [VIEW]: _, ...shown } = this.lab.state.shown;
    this.lab.set({ shown });
  };

  /** Rungs have a task of their own. */
  private madeOf(chosen: Chosen): string {
    const { seed, ...config } = this.lab.config();
    return JSON.stringify([
      other.keptOf(chosen),
      seed,
      ...(chosen.by === 'rung' ? [] : [configKey(config), this.pair]),
    ]);
  }

  protected override willUpdate(): void {
    const { chosen } = this;
    if (!chosen || !this.lab.trace) return;
    const made = this.madeOf(chosen);
    if (made === this.made) return;
    this.made = made;
    void this.make(chosen, made);
  }

  /** Results of other models say nothing about these. */
  private async make(chosen: Chosen, made: string): Promise<void> {
    this.work.stop();
    this.forget();
    this.job.two = null;
    this.refused = '';
    const two = await this.twoOf(chosen).catch((error: unknown) => this.refuse(error, made));
    if (!two || made !== this.made) return;
    const climbs = chosen.by === 'rung';
    this.job.two = two;
    this.job.seeds = hasTask(two[0].config) ? chosen.seeds : 1;
    this.job.pair = climbs ? null : this.pair;
    this.job.drawn = climbs ? { ...rungs.AXIS, values: rungs.drawnAt(+chosen.what)?.values ?? null } : null;
    this.requestUpdate();
  }

  private readonly forget = (): void => {
    this.work.forget();
    this.job.forget();
    this.requestUpdate();
  };

  private refuse(error: unknown, made: string): null {
    if (!(error instanceof Refused)) throw error;
    if (made === this.made) this.refused = error.message;
    return null;
  }

  /** Throws Refused, also for models that the engine refuses or that are too large for the page. */
  private async twoOf(chosen: Chosen): Promise<Two> {
    const two = await this.modelsOf(chosen, this.lab.config());
    other.checkTask(two);
    if (hasTask(two[0].config)) await this.checkSize(two, chosen.seeds);
    return two;
  }

  private async modelsOf({ by, what, value, seeds }: Chosen, config: Config): Promise<Two> {
    if (by === 'rung') return rungs.neighbours(Number(what), Number(config.seed));
    if (by === 'setting') return other.withOneChanged(config, { by, what, value, seeds }, this.recipes);
    const { title } = other.choiceOf(what);
    const here = { label: texts.THIS_MODEL, config };
    if (by === 'fresh') return [here, { label: title, config: await other.freshModel(config, what, this.recipes) }];
    const left = await keptConfig(this.lab.page, what);
    if (!left) throw Refused.input(texts.GONE);
    return [here, { label: texts.asLeft(title), config: { ...left, seed: config.seed! } }];
  }

  private async checkSize(two: Two, seeds: number): Promise<void> {
    const sizes = await Promise.all(two.map(({ config }) => this.sizeOf(config)));
    const megabytes = sizes.reduce((sum, { stepBytes }) => sum + (seeds * stepBytes) / 1e6, 0);
    if (megabytes > MOST_MEGABYTES) throw Refused.input(texts.tooLarge(Math.ceil(megabytes), MOST_MEGABYTES));
  }

  /** In the module that has this kind of model, where a session is once it has loaded one. */
  private sizeOf(config: Config): Promise<SizeInfo> {
    return this.lab.probe(async (session) => {
      await unwrap(session.load(config));
      return unwrap(session.estimate(config));
    });
  }

  private readonly recipes: Recipes = (task, model) => this.lab.queries.recipe(task, model);

  private get pair(): TextPair | null {
    const { pair, task } = this.lab;
    const text = (words: readonly string[]): string => words.join(task?.separator ?? '');
    return pair && [text(pair.source), text(pair.target)];
  }

  protected override render(): TemplateResult {
    const { chosen } = this;
    const id = this.idOf('beside');
    return html`<h2>
        <button type="button" class="more" aria-expanded=${chosen !== null} aria-controls=${id} @click=${this.toggle}>
          ${texts.BESIDE}
        </button>
      </h2>
      <div id=${id} class="ex" ?hidden=${!chosen}>${chosen ? this.content(chosen) : nothing}</div>`;
  }

  private content(chosen: Chosen): TemplateResult {
    const learns = chosen.by === 'rung' || this.lab.task !== null;
    return html`<p>${learns ? texts.ABOUT : texts.ABOUT_RUN}</p>
      <div class="fields">${fieldsOf(this.lab.config(), chosen, learns, (part) => this.choose(part))}</div>
      <p class="hint">${this.whatDiffers(chosen, learns)}</p>
      <p class="refused" role="alert">${this.refused}</p>
      ${this.prediction(chosen)} ${this.work.render()} ${this.verdict()} ${this.through()} ${this.models()}`;
  }

  private whatDiffers({ by, what }: Chosen, learns: boolean): string {
    const { two } = this.job;
    if (!two) return this.refused ? '' : texts.BUILDING;
    if (by === 'rung') return texts.aboutRungs(String(two[0].config.task), rungs.rungStep(+what));
    const differ = other.differencesOf(two);
    const [one, another] = two.map(({ config }) => stepsOf(config));
    return [differ.length ? texts.differIn(differ) : '', learns ? texts.trainedFor(one!, another!) : '']
      .filter(Boolean)
      .join(' ');
  }

  /** The curve of the upper rung, drawn by the reader before it is measured. */
  private prediction({ by, what }: Chosen): TemplateResult | typeof nothing {
    const { drawn, isBegun, two } = this.job;
    if (by !== 'rung' || !drawn || !two) return nothing;
    if (this.work.running) return nothing;
    if (isBegun) return html`<button type="button" class="btn quiet" @click=${this.forget}>${DRAW_AGAIN}</button>`;
    const draw = (values: readonly number[]): void => {
      rungs.keepDrawn(+what, values);
      drawn.values = values;
      this.requestUpdate();
    };
    const values = drawn.values ?? drawn.lengths.map(() => BEGIN);
    const how = this.idOf('beside-how');
    return html`<p>${texts.predictUpper(two[1].label)}</p>
      <div class="hint" id=${how}>${HOW_TO_DRAW}</div>
      <div role="group" aria-label=${YOUR_CURVE} aria-describedby=${how}>
        <u-draw-curve .axis=${drawn} .values=${values} .draw=${draw}></u-draw-curve>
      </div>`;
  }

  /** What was predicted beside what was measured. */
  private verdict(): TemplateResult | typeof nothing {
    const { two, drawn } = this.job;
    if (!drawn || !two || this.work.running) return nothing;
    const [gap, lead] = [this.job.gap(), this.job.lead()];
    return html`<div role="status">
      ${
        gap && lead !== null
          ? html`<p class="verdict">
              ${texts.upperIsBetter(two[1].label, Math.round(lead))} ${largestGap(drawn.over, gap)}
            </p>`
          : nothing
      }
    </div>`;
  }

  /** One input through both, as far as it has gone through them. */
  private through(): TemplateResult | typeof nothing {
    const { before, after, learns } = this.job;
    if (!before) return nothing;
    const open = (name: string, index: number): void => void this.open(name, index);
    const gap = (when: string, { difference }: Through): unknown => difference && gapIn(when, difference, open);
    return html`<h3>${texts.THROUGH}</h3>
      ${before.pair?.source.length ? html`<p>${texts.reads(sourceText(before.pair))}</p>` : nothing}
      ${gap(learns ? texts.BEFORE : texts.NOW, before)} ${after ? gap(texts.AFTER, after) : nothing}
      ${before.difference && structureIn(before.difference, open)} ${after?.written ? this.written(after) : nothing}`;
  }

  private written({ written: both, pair }: Through): TemplateResult {
    const labels = this.job.two!.map(({ label }) => label);
    const isGiven = this.job.pair === null || !writesTarget(this.lab);
    const table = writtenTable(labels, both!, isGiven ? pair!.target : []);
    const exported = (): void => save(csvFile(csvTables([table])), texts.WRITES, 'CSV');
    return html`<div class="twin written" tabindex="0" role="region" aria-label=${texts.WRITES}>
        ${writtenHtml(table)}
      </div>
      <button type="button" class="btn small" @click=${exported}>${texts.EXPORT}</button>`;
  }

  /** Takes a model of the comparison to the workbench, unless it is there. */
  private models(): TemplateResult | typeof nothing {
    const { two, before } = this.job;
    if (!two || !before) return nothing;
    const others = two.filter((model) => !this.isHere(model));
    return html`<div class="row models">
      ${others.map(
        (model) =>
          html`<button type="button" class="btn small" @click=${() => this.bring(model)}>
            ${texts.bring(model.label)}
          </button>`,
      )}
    </div>`;
  }

  private isHere({ config }: Compared): boolean {
    return configKey(config) === configKey(this.lab.config());
  }

  private async bring({ label, config }: Compared): Promise<boolean> {
    const { page, state: before } = this.lab;
    const { shown, stage, pinned, section } = before;
    const fresh = { ...emptyState(page.lesson), shown, stage, pinned, section };
    const { ok } = await this.lab.goTo(() => withConfig(page, fresh, config));
    const undo = { label: UNDO, run: () => void this.lab.goTo(() => before) };
    if (ok) this.lab.notify({ message: texts.brought(label), action: undo });
    return ok;
  }

  /** The tensor of the first model among the numbers of the workbench, with the card of the cell. */
  private async open(name: string, index: number): Promise<void> {
    const [first] = this.job.two!;
    if (!this.isHere(first) && !(await this.bring(first))) return;
    this.lab.focus({ at: name });
    this.lab.showStage('numbers');
    this.lab.select(name, index);
  }
}

customElements.define('u-beside', Beside);
