// What the lesson's page fetches when the first exercise needs it.
import { data } from 'virtual:lessons';
import { theLab } from '../lab';
import { experimentOf } from '../state/changes';
import { checkpointFor } from '../state/checkpoints';
import { emptyState } from '../state/table';
import { sameConfig, type Work } from './trained';
import type { Changes } from './changes';
import type { Checkpoint, Experiment } from '../engine/replay';
import type { Page } from '../state/page';
import type { Labels } from '../views/labels';
import type { Comparison } from '../../plugin/comparisons';
import type { Task } from '../../plugin/tasks';

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

/** The lesson's own model needs no training where its weights come with the page; and what this browser trained is kept. */
async function checkpoint(experiment: Experiment): Promise<Checkpoint | null> {
  const page = thePage();
  const empty = emptyState(page.lesson);
  const own = sameConfig(experiment, experimentOf(page, empty));
  const found = await checkpointFor(page, own ? empty : { ...empty, config: experiment.config }, experiment);
  return found.checkpoint;
}

/** What a step brings the workbench to. */
export const givenIn = ({ dataset }: HTMLElement): Changes => JSON.parse(dataset.given ?? '{}') as Changes;

/** The lesson's own experiment, as nobody has touched it. */
export const ownExperiment = (): Work => ({
  ...experimentOf(thePage(), emptyState(thePage().lesson)),
  checkpoint,
  brought: Array.from(document.querySelectorAll<HTMLElement>('u-step[data-given]'), givenIn),
});

/** What the learner has made of it. */
export const currentExperiment = (): Work => ({ ...experimentOf(thePage(), theLab().state), checkpoint });
