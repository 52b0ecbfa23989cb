// A learner who writes, sets, trains and answers at random, goes elsewhere and comes back, with and without a network.
// What they made is kept here too, and compared with what the page shows.
import type { BrowserContext, Page } from '@playwright/test';
import { ACTS, addressed, chooseOwn, settle, train } from './acts';
import { answer, answerable, answers } from './answers';
import { editor, run, writeAbove } from './editor';
import { isKept, type Host } from '../offline-host.mjs';
import { FIRST_LESSON } from './addresses';
import { benchOf, expect, notice, open, place, shownNumbers, type WithLab } from './pages';
import { below, pick, type Random } from './states';

const LESSONS = [FIRST_LESSON, 'lessons/seq2seq/'];
const WORKBENCH = 'workbench/';
/** Every kind with a program of the learner's own, and some without. */
const KINDS = 'program program_lm program_seq2seq softmax attention seq2seq recurrent transformer'.split(' ');

/** What a model on the bench was given, and has learnt. */
interface Model {
  kind: string;
  settings: Record<string, unknown>;
  /** As typed, run or not. */
  program: string | null;
  pair: unknown;
  edits: unknown;
  inputs: unknown;
  steps: number;
}

/** What the browser itself reports of a host that does not answer. */
const NO_NETWORK = /net::ERR_/;

export class Learner {
  page!: Page;
  private readonly done: string[] = [];
  private readonly models = new Map<string, Model>();
  private readonly given = new Map<string, Record<string, string>>();
  /** Own pairs and own text as typed, by the label of their field. */
  private readonly typed = new Map<string, string>();
  private readonly heard: string[] = [];
  /** The path of the lesson being read; "" on the workbench. */
  private lesson = '';
  private isOffline = false;

  constructor(
    private readonly context: BrowserContext,
    private readonly host: Host,
    private readonly random: Random,
  ) {}

  async begin(): Promise<void> {
    await this.openTab(this.host.address + WORKBENCH);
    await this.note();
  }

  /** One act, and what must hold after it. */
  async act(): Promise<void> {
    const acts = { ...(this.lesson ? this.inLesson : this.onBench), ...this.anywhere };
    const name = pick(this.random, Object.keys(acts));
    this.done.push(name);
    await acts[name]!();
    await settle(this.page);
    await expect(notice(this.page), this.story).not.toContainText('The engine stopped');
    expect(this.heard, this.story).toEqual([]);
    await this.note();
  }

  get story(): string {
    return `after ${this.done.join(', ')}: ${this.page.url()}`;
  }

  /** What these change is noted as it is then; `write` and `train` are compared with what they should make. */
  private readonly onBench: Record<string, () => Promise<unknown>> = {
    ...Object.fromEntries(
      ['task', 'setting', 'size', 'pair', 'seed', 'reset', 'undo', 'step', 'cell', 'edit', 'unedit', 'choice'].map(
        (name) => [name, () => ACTS[name]!(this.page, this.random)],
      ),
    ),
    train: () => this.train(),
    write: () => this.write(),
    'write more': () => this.write(),
    run: () => this.run(),
    'own data': () => this.typeOwn(),
    module: () => this.choose(pick(this.random, KINDS)),
    'module and back': () => this.thereAndBack(),
  };

  private readonly inLesson: Record<string, () => Promise<unknown>> = {
    answer: () => answer(this.page, this.random),
    'another answer': () => answer(this.page, this.random),
    step: () => ACTS.step!(this.page, this.random),
  };

  private readonly anywhere: Record<string, () => Promise<unknown>> = {
    reload: () => this.stay(() => this.page.reload()),
    'new tab': () => this.stay(() => this.openTab(this.page.url())),
    offline: () => this.stay(() => this.withoutHost(() => this.page.reload())),
    lesson: () => this.go(pick(this.random, LESSONS)),
    workbench: () => this.go(''),
  };

  private async openTab(address: string): Promise<void> {
    const before = this.page as Page | undefined;
    this.page = await this.context.newPage();
    this.page.on('pageerror', (error) => this.heard.push(error.message));
    this.page.on('console', (message) => {
      if (message.type() !== 'error' || (this.isOffline && NO_NETWORK.test(message.text()))) return;
      this.heard.push(`${message.text()} ${message.location().url}`);
    });
    await open(this.page, address);
    await before?.close();
  }

  private async withoutHost(act: () => Promise<unknown>): Promise<void> {
    await expect.poll(() => this.page.evaluate(isKept, []), { timeout: 20_000, message: this.story }).toBe(true);
    await this.host.stop();
    this.isOffline = true;
    await act();
    await settle(this.page);
    this.isOffline = false;
    await this.host.start();
  }

  /** Another page on the same address shows the same. */
  private async stay(act: () => Promise<unknown>): Promise<void> {
    await addressed(this.page);
    const before = await this.whole();
    await act();
    await open(this.page, this.page.url());
    if (this.lesson) await answerable(this.page);
    await settle(this.page);
    await expect.poll(() => this.whole(), this.story).toEqual(before);
  }

  /** All that stands on the page. */
  private async whole(): Promise<unknown> {
    const [{ step, of }, numbers] = [await place(this.page), await shownNumbers(this.page)];
    return { model: await this.model(), answers: await answers(this.page), step, of, numbers };
  }

  private async go(lesson: string): Promise<void> {
    await open(this.page, this.host.address + (lesson || WORKBENCH));
    this.lesson = lesson;
    if (lesson) {
      await answerable(this.page);
      const given = this.given.get(lesson);
      if (given) await expect.poll(() => answers(this.page), this.story).toEqual(given);
    } else await this.asLeft();
  }

  private async choose(kind: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Model', exact: true }).selectOption(kind);
    await settle(this.page);
    expect((await this.model()).kind, this.story).toBe(kind);
    await this.asLeft();
  }

  private async thereAndBack(): Promise<void> {
    const { kind } = await this.model();
    await this.choose(pick(this.random, KINDS));
    await this.note();
    await this.choose(kind);
  }

  /** The model on the bench is as it was when it was last there. */
  private async asLeft(): Promise<void> {
    await settle(this.page);
    const left = this.models.get((await this.model()).kind);
    if (left) await expect.poll(() => this.model(), this.story).toEqual(left);
  }

  private async note(): Promise<void> {
    if (this.lesson) this.given.set(this.lesson, await answers(this.page));
    else {
      const model = await this.model();
      this.models.set(model.kind, model);
    }
  }

  private model(): Promise<Model> {
    return benchOf(this.page).evaluate(({ lab }: WithLab) => {
      const { kind, program, ...settings } = lab.config();
      const { pair, edits, inputs } = lab.state;
      const editor = document.querySelector('u-program') as unknown as { text: string } | null;
      return {
        kind: String(kind),
        settings: Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1))),
        program: editor?.text ?? (program as string | undefined) ?? null,
        pair,
        edits,
        inputs,
        steps: lab.training.step,
      };
    });
  }

  private async write(): Promise<void> {
    if (!(await editor(this.page).isVisible())) return;
    const line = `# ${below(this.random, 1000)}`;
    const { program } = await this.model();
    await writeAbove(this.page, line);
    expect((await this.model()).program, this.story).toBe(`${line}\n${program}`);
  }

  /** What is typed is what runs. */
  private async run(): Promise<void> {
    if (!(await editor(this.page).isVisible())) return;
    const { program } = await this.model();
    await editor(this.page).click();
    await run(this.page);
    await settle(this.page);
    expect((await this.model()).program, this.story).toBe(program);
  }

  private async train(): Promise<void> {
    const before = await this.model();
    const steps = await train(this.page, this.random);
    await settle(this.page);
    const { steps: taken, program } = await this.model();
    expect([taken, program], this.story).toEqual([before.steps + steps, before.program]);
  }

  /** Own pairs or text that are typed and not used; first, what was typed before is still there. */
  private async typeOwn(): Promise<void> {
    if (!(await chooseOwn(this.page))) return;
    const field = this.page.locator('u-own-data textarea');
    const label = await this.page.locator('u-own-data label').first().innerText();
    const typed = this.typed.get(label);
    if (typed !== undefined) await expect(field, this.story).toHaveValue(typed);
    const lines = Array.from({ length: 3 }, () => `${below(this.random, 99)}\t${below(this.random, 99)}`);
    await field.fill(lines.join('\n'));
    this.typed.set(label, lines.join('\n'));
  }
}
