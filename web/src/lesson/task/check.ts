// Checks an answer against what the engine computes. Fetched with the first answer, and graders and solutions with it.
import { A_SOLUTION, THE_ANSWER } from '#messages/lesson/solutions';
import { html, type TemplateResult } from 'lit';
import { ownExperiment } from '../lesson-data';
import { type Answer, type GoalAnswer, type Verdict, built } from './answer';
import { grade, revealed, rightOption, ownRun } from './grade';
import { listedSolution, textOf } from './feedback';
import type { AnsweredTask, TaskOf } from '../format/tasks';
import type { LabElement } from '../../ui/lab-element';

/** `element` is the task's on the page. Throws UnreadableAnswer, or Refused by the engine. */
export function check(element: LabElement, task: AnsweredTask, answer: Answer): Promise<Verdict> {
  const { lab } = element;
  const base = ownExperiment(element);
  const withRun = task.kind === 'goal' ? { ...(answer as GoalAnswer), run: ownRun(lab, task.goal) } : answer;
  return lab.probe(async (session) => {
    const verdict = await grade(session, base, task, withRun, lab.page.labels);
    if (task.kind !== 'choose' || !verdict.right) return verdict;
    return { ...verdict, message: html`${verdict.message} ${await revealed(session, base, task)}` };
  });
}

/** The answer to a question, or a solution. Throws Refused by the engine. */
export const solutionOf = async (element: LabElement, task: AnsweredTask): Promise<TemplateResult> =>
  task.kind === 'choose' ? rightAnswer(element, task) : html`<b>${A_SOLUTION}</b> ${listedSolution(task, element)}`;

function rightAnswer(element: LabElement, task: TaskOf<'choose'>): Promise<TemplateResult> {
  const base = ownExperiment(element);
  return element.lab.probe(async (session) => {
    const right = await rightOption(session, base, task);
    const text = textOf(element.querySelector(`[value="${right}"] + span`));
    return html`<b>${THE_ANSWER}</b> <em>${text}.</em> ${built(task.options[right]!.why)}
      ${await revealed(session, base, task)}`;
  });
}
