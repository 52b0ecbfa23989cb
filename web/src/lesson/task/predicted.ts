// A right prediction comes to the bench for as long as the question is in sight. Then the bench is as it was before, unless
// the reader has gone on with it.
import { resetInputs, withConfig, withInputs } from '../../lab/changes';
import { findNode } from '../../lab/cursor';
import type { Lab } from '../../lab/lab';
import { emptyState } from '../../lab/link/table';
import { flatIndex } from '../../lab/place';
import { hasOwnData } from '../../engine/own-data';
import type { Experiment } from '../../engine/replay';
import type { LabElement } from '../../ui/lab-element';
import { byName, type Changes, sameConfig, sortChanges, variantOf, withChanges } from '../changes';
import { perform, type SessionLike, type Work } from '../run';
import { enterTry, goTo, type Model, modelIn } from '../scenes';
import { Step } from '../step';

/** The lesson's own model with these changes. */
export async function predictedModel({ page }: Lab, session: SessionLike, base: Work, given: Changes): Promise<Model> {
  const { info, trace } = await perform(session, base, given);
  const changes = sortChanges(
    given,
    info.inputs.map(({ name }) => name),
  );
  const { pair, interventions } = withChanges(base, changes);
  const { seed: _, ...own } = base.config;
  const configured = withConfig(page, emptyState(page.lesson), variantOf(own, changes.config));
  const edits = changes.elements.flatMap(([element, at, value]) => {
    const node = findNode(trace, element);
    return node ? { name: node.name, index: flatIndex(node.shape, at), value } : [];
  });
  return {
    ...modelIn(withInputs(page, configured, { ...resetInputs(changes.config), ...byName(changes.inputs) })),
    ...{ pair, edits, interventions: [...(interventions ?? [])] },
    ...(changes.steps !== null && { steps: changes.steps }),
  };
}

/** False if the bench stays: it trains, its model is of another kind or has data of the reader's own, or it would have to train. */
export async function showPredicted(task: LabElement, own: Experiment, model: Model): Promise<boolean> {
  const { lab } = task;
  const before = lab.state;
  const scene = Step.scenes.get(lab);
  if (lab.busy || lab.playing || hasOwnData(before.config) || !(await bring(lab, own, model))) return false;
  enterTry(task, before);
  const brought = JSON.stringify(modelIn(lab.state));
  void outOfSight(task).then(async () => {
    if (JSON.stringify(modelIn(lab.state)) !== brought || !(await bring(lab, own, modelIn(before)))) return;
    if (scene === undefined) Step.scenes.delete(lab);
    else Step.scenes.set(lab, scene);
  });
  return true;
}

const isAsTrained = (a: Experiment, b: Experiment): boolean => sameConfig(a, b) && a.steps === b.steps;

/** Whether no more than pair and edits differ. */
const isSameModel = (a: Experiment, b: Experiment): boolean =>
  isAsTrained(a, b) && JSON.stringify([a.inputs, a.interventions]) === JSON.stringify([b.inputs, b.interventions]);

/** False if the model is of another kind, would have to be trained for it, or is refused. */
async function bring(lab: Lab, own: Experiment, model: Model): Promise<boolean> {
  const [now, next] = [lab.experimentOf(), lab.experimentOf({ ...lab.state, ...model })];
  if (next.pair && isSameModel(now, next)) return inPlace(lab, next);
  if (next.config.kind !== now.config.kind || (next.steps && !isAsTrained(next, own))) return false;
  return goTo(lab, model);
}

/** Keeps what the model has learnt. */
async function inPlace(lab: Lab, { pair, edits }: Experiment): Promise<boolean> {
  const read = await lab.read(...pair!);
  return read.ok && (!edits.length || (await lab.editAll(edits)).ok);
}

const outOfSight = (element: Element): Promise<void> =>
  new Promise((done) => {
    const leaving = new IntersectionObserver(([entry]) => {
      if (entry!.isIntersecting) return;
      leaving.disconnect();
      done();
    });
    leaving.observe(element);
  });
