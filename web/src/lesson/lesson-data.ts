// Data that the lesson's page fetches when the first exercise needs it; and the experiments that exercises run.
import { data } from 'virtual:lessons';
import { theLab } from '../lab/lab';
import { experimentOf } from '../lab/changes';
import { checkpointFor } from '../lab/store/checkpoints';
import { emptyState } from '../lab/link/table';
import { sameConfig, type Work } from './trained';
import type { Changes } from './changes';
import type { Checkpoint, Experiment } from '../engine/replay';
import type { Page } from '../lab/page';
import type { Labels } from '../figures/shared/labels';
import type { Comparison } from './format/comparisons';
import type { Task } from './format/tasks';

export interface LessonData {
  tasks: Record<string, Task & { name: string }>;
  comparisons: Record<string, Comparison>;
  labels: Labels;
}

export const lessonName = (): string => document.body.dataset.lesson ?? '';

let loaded: Promise<LessonData> | null = null;

export const lessonData = (): Promise<LessonData> =>
  (loaded ??= data[lessonName()]!().then((module) => module.default));

const thePage = (): Page => theLab().page;

/** The latest checkpoint for the experiment: kept by this browser or, for the lesson's own model, shipped with it. */
async function checkpoint(experiment: Experiment): Promise<Checkpoint | null> {
  const page = thePage();
  const empty = emptyState(page.lesson);
  const own = sameConfig(experiment, experimentOf(page, empty));
  const found = await checkpointFor(page, own ? empty : { ...empty, config: experiment.config }, experiment);
  return found.checkpoint;
}

/** The changes that a step of the text applies to the workbench. */
export const givenIn = ({ dataset }: HTMLElement): Changes => JSON.parse(dataset.given ?? '{}') as Changes;

/** The lesson's own experiment, without the learner's changes. */
export const ownExperiment = (): Work => ({
  ...experimentOf(thePage(), emptyState(thePage().lesson)),
  checkpoint,
  stepChanges: Array.from(document.querySelectorAll<HTMLElement>('u-step[data-given]'), givenIn),
});

/** The experiment with the learner's changes. */
export const currentExperiment = (): Work => ({ ...experimentOf(thePage(), theLab().state), checkpoint });
