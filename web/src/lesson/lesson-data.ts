// What the lesson's page fetches when the first exercise needs it.
import { data } from 'virtual:lessons';
import { theLab } from '../lab';
import { readPage } from '../state/page';
import type { Experiment } from '../engine/replay';
import type { Comparison, Task } from '../../plugin/tasks';

export interface LessonData {
  tasks: Record<string, Task & { name: string }>;
  comparisons: Record<string, Comparison>;
  labels: Record<string, { rows?: (string | number)[]; columns?: (string | number)[] }>;
}

export const lessonName = (): string => document.body.dataset.lesson ?? '';

let loaded: Promise<LessonData> | null = null;

export const lessonData = (): Promise<LessonData> =>
  (loaded ??= data[lessonName()]!().then((module) => module.default));

/** The lesson's own experiment, as nobody has touched it. */
export function ownExperiment(): Experiment {
  const page = readPage(document.body.dataset)!;
  return { config: { ...page.config, seed: page.seed }, inputs: page.inputs, steps: 0, edits: [] };
}

/** What the learner has made of it. */
export function currentExperiment(base: Experiment): Experiment {
  const lab = theLab();
  const { inputs, edits, steps } = lab.state;
  return { config: lab.config(), inputs: [...base.inputs, ...inputs], edits, steps };
}
