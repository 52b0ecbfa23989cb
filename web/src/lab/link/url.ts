// Keeps the address bar and the state table in sync: a reload, a bookmark and a copied link all give the same bits.
import * as texts from '#messages/address';
import { ownDataIn } from '../../engine/own-data';
import { ENGINE } from '../../engine/kinds';
import type { State } from '../../engine/types';
import { whyMissing } from '../../engine/offline';
import { keepLate, takeLate } from './late';
import { BadLink, isLink } from './fragment';
import { isMerged, newName } from '../old-names';
import { keepOwnData, ownDataNamed } from '../store/own-store';
import { pack, unpack, type Packed } from './table';
import type { Lab, Topic } from '../lab';

/** Throws BadLink where it was never loaded and the network is gone. */
const loadCodec = (): Promise<typeof import('./link')> =>
  import('./link').catch(async () => {
    throw new BadLink(await whyMissing());
  });

const PAUSE = 400;
/** Changes of these change what a link holds; 'activity' ends a job, which the address waits for. */
const LINKED: readonly Topic[] = ['run', 'cursor', 'selection', 'choice', 'activity'];

const tableOf = (lab: Lab): Packed => pack(lab.state, lab.trace, lab.home);

/** True if a link would hold no more than lesson, section and engine. */
const isPlain = (table: Packed): boolean =>
  Object.keys(table).every((key) => ['lesson', 'section', 'engine'].includes(key));

/** The page's address with the whole state in its fragment; null, which is reported, if no link can hold the state. */
export async function linkTo(lab: Lab): Promise<string | null> {
  const ownData = ownDataIn(lab.state.config);
  if (ownData) {
    const outcome = await keepOwnData(ownData.data);
    const { notSaved } = await import('#messages/unsaved');
    reportLinkProblem(lab, outcome === 'kept' ? texts.HERE_ONLY : notSaved('brought', outcome));
  }
  try {
    const { encodeLink } = await loadCodec();
    return new URL(await encodeLink(tableOf(lab)), location.href).href;
  } catch (error) {
    reportLinkProblem(lab, reasonOf(error));
    return null;
  }
}

/** If the state itself is no reason: the browser cannot compress, or accepts no further addresses for a while. */
const reasonOf = (error: unknown): string => (error instanceof BadLink ? error.message : texts.NO_ADDRESS);

const reportLinkProblem = (lab: Lab, message: string, detail = ''): void =>
  lab.reportProblem({ code: 'E_LINK', message, detail });

/**
 * Opens this state, or the one in the address, or the page's own. A bad link is reported in one sentence and changes
 * nothing.
 */
async function openAddress(lab: Lab, late: Packed | null): Promise<void> {
  const first = !lab.trace;
  try {
    const table = late ?? (isLink(location.hash) ? await (await loadCodec()).decodeLink(location.hash) : null);
    const linked = table && (await readState(lab, table));
    if (linked) {
      openSection(linked.state);
      lab.dismiss(); // clears messages about the previous link
    }
    const opened = linked && (await lab.start(linked.state, linked.at));
    if (opened && linked.engine && ENGINE && linked.engine !== ENGINE) addToNotice(lab, texts.OTHER_ENGINE);
    if (first && !lab.trace) await lab.start();
  } catch (error) {
    if (!(error instanceof BadLink)) throw error;
    if (first) await lab.start();
    reportLinkProblem(lab, error.message, location.hash.slice(0, 60));
  }
}

/** Scrolls to the section that was being read when the link was made. */
function openSection({ section }: State): void {
  if (section) document.getElementById(section)?.scrollIntoView();
}

/** Adds to the notice that opening may already show. */
const addToNotice = (lab: Lab, message: string): void =>
  lab.notify({ ...lab.notice, message: [lab.notice?.message, message].filter(Boolean).join(' ') });

async function readState(lab: Lab, table: Packed): Promise<ReturnType<typeof unpack> & { engine?: string }> {
  const data = table.own && (await ownDataNamed(table.own[1]));
  if (table.own && data === undefined) throw new BadLink(texts.NOT_HERE);
  const { lesson } = lab.page;
  const { state, at } = unpack(table, data);
  const now = isMerged(table.lesson) ? (await import('../merged')).stateNow(state) : { ...state, lesson };
  if (newName(table.lesson) === lesson) return { state: now, at, engine: table.engine };
  throw new BadLink(table.lesson ? texts.forLesson(table.lesson) : texts.FOR_WORKBENCH);
}

/** Opens what the address says; from then on the address follows the state, and the state follows the address. */
export async function followAddress(lab: Lab): Promise<void> {
  let timer = 0;
  /** The fragment that was written or opened last. */
  let written = '';
  /** The state that the address holds, as far as it can; null while the state of a link is still to come. */
  let held: string | null = null;
  let refused = '';
  let turn = 0;
  /** A state that no link can hold leaves the address as it was; each reason is reported once. */
  const refuse = (message: string): void => {
    if (message !== refused) reportLinkProblem(lab, message);
    refused = message;
  };
  /** A link that was opened a moment ago: its event is still to come, and it would be lost under the state before. */
  const isOpening = (): boolean => isLink(location.hash) && location.hash !== written;
  const open = async (late: Packed | null = null): Promise<void> => {
    written = location.hash;
    held = null;
    await openAddress(lab, late);
    if (late) await write();
    else held = JSON.stringify(tableOf(lab));
  };
  const write = async (): Promise<void> => {
    const mine = ++turn;
    const table = tableOf(lab);
    const plain = isPlain(table);
    if (plain && !isLink(location.hash)) return;
    const ownData = ownDataIn(lab.state.config);
    if (ownData) lab.reportUnsaved('brought', await keepOwnData(ownData.data));
    try {
      const link = plain ? '' : await (await loadCodec()).encodeLink(table);
      if (mine !== turn || isOpening()) return;
      history.replaceState(history.state, '', link || location.pathname + location.search);
      written = link;
      held = JSON.stringify(table);
    } catch (error) {
      refuse(texts.notInAddress(reasonOf(error)));
    }
  };
  const soon = (): void => {
    timer = window.setTimeout(() => ((timer = 0), void write()), PAUSE);
  };
  const onChange = (): void => {
    if (lab.busy === 'train') return;
    clearTimeout(timer);
    if (lab.busy) timer = 0;
    else soon();
  };
  await open(await takeLate());
  keepLate(() => {
    if (held === null || isOpening()) return null;
    const table = tableOf(lab);
    const nothing = lab.busy === 'train' || ownDataIn(lab.state.config) || (isPlain(table) && !isLink(location.hash));
    return nothing || JSON.stringify(table) === held ? null : table;
  });
  for (const topic of LINKED) lab.addEventListener(topic, onChange);
  lab.trainer.saveState = write;
  lab.addEventListener('training', () => {
    if (!timer && lab.busy === 'train') soon();
  });
  addEventListener('hashchange', () => {
    if (isOpening()) void open();
    else if (!isLink(location.hash)) soon(); // to a section, or back to before anything was done
  });
  if (isOpening()) await open();
}
