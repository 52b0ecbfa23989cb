// The text speaks of several models: the lesson's own, that of each step with data-given, and what the controls in the
// text make of them. Each is a scene. As the reader goes on from one to another, the bench changes with them, and every
// scene keeps what the reader did in it.
// Fetched when the text comes to another model.
import { withConfig, withInputs } from '../lab/changes';
import { hasOwnData } from '../engine/own-data';
import { hostOf, type Lab, type LabHost } from '../lab/lab';
import { emptyState, pack, type Packed, unpack } from '../lab/link/table';
import { keepTypedHere, typedAt } from '../lab/store/web-storage';
import type { State } from '../engine/types';
import type { LabElement } from '../ui/lab-element';
import { byName } from './changes';
import { currentExperiment, ownExperiment } from './lesson-data';
import { Step } from './step';

/** Milliseconds that a step is read before the bench changes: who scrolls on does not load what they pass. */
const READ = 200;

/** Milliseconds after the focus has come to the bench, a key or a press there, in which the reader is still at work. */
const AT_WORK = 1000;
let worked = -Infinity;
for (const type of ['focusin', 'keydown', 'pointerdown'])
  document.addEventListener(type, ({ target, timeStamp }) => {
    if ((target as Element).closest('u-bench')) worked = timeStamp;
  });

/** What makes the model, of all that a state holds. */
const PARTS = ['config', 'seed', 'inputs', 'pair', 'takenOver', 'steps', 'edits', 'interventions'] as const;
export type Model = Pick<State, (typeof PARTS)[number]>;

export const modelIn = (state: State): Model => Object.fromEntries(PARTS.map((part) => [part, state[part]])) as Model;

const keyOf = (lab: Lab, scene: string): string => `scene-${lab.page.lesson}-${scene}`;

/** As the lesson made it. */
function modelOf(step: Step): Model {
  const { page } = step.lab;
  const { config, pair, inputs, steps } = step.changes;
  const configured = withConfig(page, emptyState(page.lesson), config);
  const own = { ...configured, ...(pair && { pair }), ...(steps !== null && { steps }) }; // another task drops a pair
  return modelIn(withInputs(page, own, byName(inputs)));
}

/** As the reader left it. */
function leftIn(lab: Lab, scene: string): Model | null {
  const left = typedAt(keyOf(lab, scene));
  return left ? modelIn(unpack(JSON.parse(left) as Packed).state) : null;
}

/** The scene on each bench, if it is not that of the lesson's own model. */
const { scenes, TRY } = Step;
/** Where a control of the text was used last. */
let tried: Element | null = null;
/** True after single steps of training that a button of the text took: a press takes them again. */
let stepped = false;
/** The step whose model is on its way to the bench. */
let coming: Step | null = null;

/** The last step before a place: what is done there is about what the step shows. */
const stepBefore = (host: LabHost, place: Element): Step | undefined =>
  [...host.querySelectorAll<Step>('u-step')].findLast(
    (each) => each.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING,
  );

/**
 * False while the reader types on the bench, is in a task of this step, has used a control there, or would leave a model that they
 * have trained or brought data for.
 */
function mayChange(step: Step): boolean {
  const { lab, host } = step;
  const here = document.activeElement;
  const isUnder = (place: Element | null | undefined): boolean => !!place && stepBefore(host, place) === step;
  if (isUnder(here?.closest('u-task')) || (scenes.get(lab) === TRY && isUnder(tried))) return false;
  const { trace, playing, busy } = lab;
  const isTyping = !!here?.closest('u-bench :is(input, textarea, select, [contenteditable])');
  return !!trace && !playing && !busy && !hasWork(step) && !isTyping;
}

/** Training steps of the model on the bench as the lesson brought it. */
function stepsBrought(step: Step): number | null {
  const on = sceneOn(step);
  const other = [...step.host.querySelectorAll<Step>('u-step')].find(({ scene }) => scene && scene === on);
  return (other?.changes ?? ownExperiment(step)).steps;
}

/** True if the bench has data of the reader's own, or a model that they trained and that would not come along. */
function hasWork(step: Step): boolean {
  const { lab } = step;
  const { steps } = currentExperiment(lab);
  const trained = steps !== stepsBrought(step) && lab.training.step > 0 && !stepped;
  return hasOwnData(lab.state.config) || (trained && leftIn(lab, step.scene)?.steps !== lab.state.steps);
}

/** Keeps the model of the scene on the bench as it is in this state. */
const keep = (lab: Lab, state: State): void =>
  keepTypedHere(keyOf(lab, scenes.get(lab) ?? ''), JSON.stringify(pack(state, null)));

/** An exercise is solved: what the reader changed for it stays until the next step, which finds its model without it. */
export function leaveSolved(task: LabElement): void {
  const { lab } = task;
  if (scenes.get(lab) === TRY && tried === task) return;
  const step = stepBefore(hostOf(task), task);
  if (!step) return;
  const model = { ...lab.state, ...modelOf(step) };
  const isSame = JSON.stringify(model.config) === JSON.stringify(lab.state.config);
  const kept = isSame ? { ...model, steps: lab.state.steps } : model; // training is no change that the exercise asked for
  keepTypedHere(keyOf(lab, step.scene), JSON.stringify(pack(kept, null)));
  tried = task;
  scenes.set(lab, TRY);
}

/** A control of the text has changed the model of the state `before`: the next step goes back to what it speaks of. */
export function enterTry(control: LabElement, before: State): void {
  const { lab } = control;
  tried = control;
  stepped ||= control.localName === 'u-training';
  if (scenes.get(lab) === TRY) return;
  keep(lab, before);
  scenes.set(lab, TRY);
}

const isOwnModel = ({ config, inputs, pair }: State): boolean =>
  !Object.keys(config).length && !inputs.length && pair === null;

/** The scene on the bench: the last one that was brought; as the page opens, the one that the bench is like. */
function sceneOn({ lab, host }: Step): string {
  const all = isOwnModel(lab.state) ? [] : [...host.querySelectorAll<Step>('u-step[data-given]')];
  return scenes.get(lab) ?? all.find(({ scene, node }) => scene && node)?.scene ?? '';
}

/**
 * True if the bench is at the model that the step speaks of, or stays at one that the reader has trained; else it comes,
 * if the reader stays with the step.
 */
export function isOnBench(step: Step): boolean {
  const isOn = step.scene === sceneOn(step) || (scenes.get(step.lab) === TRY && hasWork(step));
  if (!isOn) void new Promise((read) => setTimeout(read, READ)).then(() => enterScene(step));
  return isOn;
}

/** False if it is refused. */
export const goTo = async (lab: Lab, model: Model): Promise<boolean> =>
  (await lab.goTo((state) => ({ ...state, ...model, selection: null }))).ok;

Step.bring = (step) => goTo(step.lab, modelOf(step));

/**
 * Brings the bench to the model of this step, if the reader is still with it and at rest, or has come to a control under it. One that
 * must be trained waits for its button; a step that must not come yet is entered again as the reader goes on.
 */
async function enterScene(step: Step, hasCome = false): Promise<void> {
  const { lab, scene } = step;
  const rest = AT_WORK - (performance.now() - worked);
  if (!hasCome && rest > 0) await new Promise((rested) => setTimeout(rested, rest));
  if (Step.entered !== step || (scene && step.changes.steps !== null)) return;
  if (!mayChange(step)) {
    Step.entered = null;
    return;
  }
  keep(lab, lab.state);
  const model = leftIn(lab, scene) ?? modelOf(step);
  coming = step;
  const ok = await goTo(lab, model);
  coming = null;
  if (!ok) return;
  stepped = false;
  scenes.set(lab, scene);
  if (Step.entered === step) step.show();
}

/** A control of the text works on the model that the step before it speaks of, also if that has not been read. */
for (const type of ['pointerdown', 'keydown'] as const)
  document.addEventListener(type, (event) => {
    if (event instanceof KeyboardEvent && event.key === 'Tab') return;
    const control = (event.target as Element).closest<LabElement>('article.text :is(u-try, u-training)');
    const step = control && stepBefore(hostOf(control), control);
    if (!step || step === coming || step.scene === sceneOn(step)) return;
    Step.entered = step;
    void enterScene(step, true);
  });

/** After a reset: the scene of the step before this place, as the lesson made it. */
export async function beginScene(place: HTMLElement): Promise<void> {
  const host = hostOf(place);
  scenes.set(host.lab, '');
  const step = stepBefore(host, place);
  if (step?.dataset.given) await step.open();
}
