// Checks an answer against what the engine computes. Fetched with the first answer, and graders and solutions with it.
import { ON_BENCH, THE_ANSWER } from '#messages/lesson/tasks';
import { A_SOLUTION } from '#messages/lesson/verdicts';
import { html, type TemplateResult } from 'lit';
import { ownExperiment } from '../lesson-data';
import { leaveSolved } from '../scenes';
import { type Answer, type GoalAnswer, type Verdict } from './answer';
import { builtHtml } from '../../ui/built-html';
import { grade, revealed, rightOption, ownRun } from './grade';
import { predictedModel, showPredicted } from './predicted';
import { demandsOf, listedSolution, textOf } from './feedback';
import { Checking } from '../../engine/checking';
import type { NamedTensor } from '../../engine/types';
import type { Lab } from '../../lab/lab';
import type { Changes } from '../changes';
import type { SessionLike, Work } from '../run';
import type { AnsweredTask, TaskOf } from '../format/tasks';
import type { LabElement } from '../../ui/lab-element';

/** Its worker starts now, while the reader thinks. */
const language = new Checking();
const calculate = (program: string, tensors: NamedTensor[]) => language.calculate(program, tensors);
void language.operations();

/** Runs a job in a hidden session of the lab, where expressions are computed by the module with their language. */
const probe = <R>(lab: Lab, job: (session: SessionLike) => Promise<R>): Promise<R> =>
  lab.probe((session) => job(Object.assign(session, { calculate })));

/** True for what is done on the bench: a goal that is reached there, a number that is measured with values changed by hand. */
const changesBench = (task: AnsweredTask, { state }: Lab): boolean =>
  task.kind === 'goal' || (task.kind === 'number' && !Object.keys(task.given).length && state.edits.length > 0);

/** `element` is the task's on the page. Throws UnreadableAnswer, or Refused by the engine. */
export function check(element: LabElement, task: AnsweredTask, answer: Answer): Promise<Verdict> {
  const { lab } = element;
  const base = ownExperiment(element);
  const withRun = task.kind === 'goal' ? { ...(answer as GoalAnswer), run: ownRun(lab, demandsOf(task.goal)) } : answer;
  return probe(lab, async (session) => {
    const verdict = await grade(session, base, task, withRun, lab.page.labels);
    if (verdict.right && changesBench(task, lab)) leaveSolved(element);
    if (task.kind !== 'choose' || !verdict.right) return verdict;
    const message = html`${verdict.message} ${await revealed(session, base, task)}`;
    return { ...verdict, message: html`${message} ${await onBench(element, session, base, task)}` };
  });
}

/** Brings what was predicted to the bench, if it can, and says so. */
async function onBench(
  element: LabElement,
  session: SessionLike,
  base: Work,
  { given, reveal }: TaskOf<'choose'>,
): Promise<string> {
  if (!given) return '';
  const { lab } = element;
  const model = await predictedModel(lab, session, base, given as Changes);
  if (!(await showPredicted(element, base, model))) return '';
  const [, named] = /trace\["(.+?)"\]/.exec(reveal ?? '') ?? [];
  const node = named && lab.node(named);
  if (node) lab.focus({ at: node.name });
  return ON_BENCH;
}

/** The answer to a question, or a solution. Throws Refused by the engine. */
export const solutionOf = async (element: LabElement, task: AnsweredTask): Promise<TemplateResult> =>
  task.kind === 'choose' ? rightAnswer(element, task) : html`<b>${A_SOLUTION}</b> ${listedSolution(task, element)}`;

function rightAnswer(element: LabElement, task: TaskOf<'choose'>): Promise<TemplateResult> {
  const base = ownExperiment(element);
  return probe(element.lab, async (session) => {
    const right = await rightOption(session, base, task);
    const text = textOf(element.querySelector(`[value="${right}"] + span`));
    return html`<b>${THE_ANSWER}</b> <em>${text}.</em> ${builtHtml(task.options[right]!.why)}
      ${await revealed(session, base, task)}`;
  });
}
