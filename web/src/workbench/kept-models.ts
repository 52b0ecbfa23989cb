// Each kind of model as the learner left it on the workbench: another kind, a reload or a new tab loses nothing of it.
import * as v from 'valibot';
import { AS_LEFT, START_AFRESH, STARTED_AFRESH } from '#messages/workbench';
import { UNDO } from '#messages/lab';
import { configOf, withConfig } from '../lab/changes';
import type { Lab } from '../lab/lab';
import type { Page } from '../lab/page';
import { packed } from '../lab/link/schema';
import { emptyState, pack, unpack, type Packed } from '../lab/link/table';
import { ownDataNamed } from '../lab/store/own-store';
import { keepTyped, keepTypedHere, typedAt, typedInBrowser } from '../lab/store/web-storage';
import type { Config, State } from '../engine/types';

/** For a browser that keeps nothing. */
const here = new Map<string, Packed>();

const keyOf = (kind: string): string => `model-${kind}`;

/** A program that only came by a link does not take the place of the learner's own, which a new tab finds. */
export function keepModel({ page, ran }: Pick<Lab, 'page' | 'ran'>, state: State): void {
  const { kind, program } = configOf(page, state);
  const key = keyOf(String(kind));
  const table = pack(state, null);
  here.set(key, table);
  const isVisitor =
    program !== undefined && ran === null && (parsed(typedInBrowser(key))?.program ?? program) !== program;
  (isVisitor ? keepTypedHere : keepTyped)(key, JSON.stringify(table));
}

/** Undefined if there is none, or if the own data it needs is gone. */
async function keptModel({ lesson }: Page, kind: string): Promise<State | undefined> {
  const table = here.get(keyOf(kind)) ?? parsed(typedAt(keyOf(kind)));
  const data = table?.own && (await ownDataNamed(table.own[1]));
  return table && (!table.own || data !== undefined) ? unpack({ ...table, lesson }, data).state : undefined;
}

/** Those of the kinds of which a model was left here. */
export const keptKinds = (kinds: readonly string[]): string[] =>
  kinds.filter((kind) => here.has(keyOf(kind)) || parsed(typedAt(keyOf(kind))) !== undefined);

/** The settings of the model of this kind as it was left; undefined if there is none. */
export async function keptConfig(page: Page, kind: string): Promise<Config | undefined> {
  const left = await keptModel(page, kind);
  return left && configOf(page, left);
}

function parsed(text: string | null): Packed | undefined {
  try {
    return v.parse(packed, JSON.parse(text ?? 'null'));
  } catch {
    return undefined; // none, damaged, or more than a link can hold
  }
}

/** Goes to the model of this kind as it was left, and offers to start afresh. False if it is refused. */
export async function takeUp(lab: Lab, kind: string, start: () => Promise<Config>): Promise<boolean> {
  let left: State | undefined;
  const back = await lab.goTo(async (before) => {
    keepModel(lab, before);
    left = await keptModel(lab.page, kind);
    return left ?? withConfig(lab.page, before, await start());
  });
  if (!left) return back.ok;
  if (!back.ok) return (await lab.configure(start)).ok;
  offerStart(lab, lab.state, await start());
  return true;
}

/** A visit without a link begins with the page's own model: as it was left, if it was changed. */
export async function comeBack(lab: Lab, start: () => Promise<Config>): Promise<void> {
  const left = await keptModel(lab.page, String(lab.config().kind));
  const differs = left && (left.seed !== lab.state.seed || workIn(left) !== workIn(lab.state));
  if (!differs || !isUntouched(lab.state)) return;
  if ((await lab.goTo((now) => (isUntouched(now) ? left : undefined))).ok) offerStart(lab, lab.state, await start());
}

/** As the page opens without a link. */
export const isUntouched = (state: State): boolean =>
  state.seed === null && workIn(state) === workIn(emptyState(state.lesson));

function offerStart(lab: Lab, left: State, start: Config): void {
  const fresh = { ...withConfig(lab.page, emptyState(''), start), seed: left.seed };
  if (workIn(left) === workIn(fresh) || lab.state !== left) return;
  const undo = { label: UNDO, run: () => void lab.goTo(() => left) };
  const startAfresh = async (): Promise<void> => {
    if ((await lab.goTo(() => fresh)).ok) lab.notify({ message: STARTED_AFRESH, action: undo });
  };
  lab.notify({ message: AS_LEFT, action: { label: START_AFRESH, run: () => void startAfresh() } });
}

const workIn = ({ config, inputs, pair, steps, edits }: State): string =>
  JSON.stringify([Object.entries(config).sort(), inputs, pair, steps ?? 0, edits]);
