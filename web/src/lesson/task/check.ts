// Checks an answer against what the engine computes. Fetched with the first answer, and graders and solutions with it.
import { ownExperiment } from '../lesson-data';
import type { AnsweredTask } from '../format/tasks';
import type { LabElement } from '../../ui/lab-element';
import type { Answer, GoalAnswer, Verdict } from './answer';
import { grade, resolve } from './grade';
import { ownRun } from './own-run';

export { solutionOf } from './solution';

/** `element` is the task's on the page. Throws UnreadableAnswer, or Refused by the engine. */
export function check(element: LabElement, task: AnsweredTask & { name: string }, answer: Answer): Promise<Verdict> {
  const { lab } = element;
  const base = ownExperiment(element);
  if (task.kind === 'choose' && task.name === 'predict')
    return lab.probe((session) => resolve(session, base, task, (answer as number[])[0]!));
  const given = task.kind === 'goal' ? { ...(answer as GoalAnswer), run: ownRun(lab, task.goal) } : answer;
  return lab.probe((session) => grade(session, base, task, given));
}
