// Data that the lesson's page fetches when the first exercise needs it; the lesson's own experiment and the learner's, and
// how they differ.
import { heldWith, WITHOUT_CHANGES } from '#messages/lesson/controls';
import { data } from 'virtual:lessons';
import { hostOf, type Lab } from '../lab/lab';
import { experimentOf } from '../lab/changes';
import { keeperOf } from '../lab/store/keeper';
import { emptyState } from '../lab/link/table';
import { sameConfig, variantOf, type Changes } from './changes';
import type { Work } from './run';
import type { Checkpoint, Experiment } from '../engine/replay';
import type { Config, State } from '../engine/types';
import type { Page } from '../lab/page';
import type { Comparison } from './format/comparisons';
import type { Task } from './format/tasks';

export interface LessonData {
  tasks: Record<string, Task & { name: string }>;
  comparisons: Record<string, Comparison>;
}

const loaded = new Map<string, Promise<LessonData>>();

export function lessonData({ lesson }: Page): Promise<LessonData> {
  const known = loaded.get(lesson) ?? data[lesson]!().then((module) => module.default);
  loaded.set(lesson, known);
  return known;
}

type Place = Pick<Lab, 'page' | 'linked'>;

/** The latest checkpoint for the experiment: kept for this lab or, for the lesson's own model, shipped with it. */
async function checkpointIn(lab: Place, experiment: Experiment): Promise<Checkpoint | null> {
  const { page } = lab;
  const empty = emptyState(page.lesson);
  const own = sameConfig(experiment, experimentOf(page, empty));
  const found = await keeperOf(lab).find(page, own ? empty : { ...empty, config: experiment.config }, experiment);
  return found.checkpoint;
}

const workIn = (lab: Place, state: State): Work => ({
  ...experimentOf(lab.page, state),
  checkpoint: (experiment) => checkpointIn(lab, experiment),
});

/** The changes that a step of the text applies to the workbench. */
export const givenIn = ({ dataset }: HTMLElement): Changes => JSON.parse(dataset.given ?? '{}') as Changes;

/** The own experiment of the lesson that the element is in, without the learner's changes. */
export function ownExperiment(element: Element): Work {
  const host = hostOf(element);
  const { lab } = host;
  const stepChanges = Array.from(host.querySelectorAll<HTMLElement>('u-step[data-given]'), givenIn);
  return { ...workIn(lab, emptyState(lab.page.lesson)), stepChanges };
}

/** The lesson's own model with other settings; for a comparison in the element. */
export const variantsIn =
  (element: Element) =>
  (settings: Config): Config =>
    variantOf(ownExperiment(element).config, settings);

/** The experiment with the learner's changes. */
export const currentExperiment = (lab: Lab): Work => workIn(lab, lab.state);

/** Settings of the lesson, or of a step's `given`, that differ from those on the bench. */
export function otherSettings(lab: Lab, stepSettings: Config = {}): Config {
  const [{ page }, now] = [lab, lab.config()];
  const own = { ...experimentOf(page, emptyState(page.lesson)).config, ...stepSettings };
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => String(now[name]) !== String(value)));
}

/** "with temperature 1"; "" where the bench is as the lesson made it. */
export function holdsWith(lab: Lab, stepSettings: Config = {}): string {
  const others = Object.entries(otherSettings(lab, stepSettings));
  if (others.length) return heldWith(others.map(([name, value]) => [name, String(value)]));
  const { edits, inputs, interventions } = lab.state;
  return edits.length || inputs.length || interventions.length ? WITHOUT_CHANGES : '';
}
