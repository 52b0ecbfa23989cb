// Keeps the address bar and the state table in step: a reload, a bookmark and a copied link all give the same bits.
import { hasOwnData } from '../engine/own-data';
import { BadLink, decodeLink, encodeLink, isLink } from './link';
import { pack, unpack, type Packed } from './table';
import { TRAINING, type LiveLab } from './live-lab';

const PAUSE = 400;
const NO_DATA = 'What you brought to learn from stays in this browser: the link opens this page without it.';

function tableOf(lab: LiveLab): Packed {
  return pack(lab.state, lab.trace, lab.home);
}

/** True if a link would hold nothing but which lesson it is. */
const isPlain = (table: Packed): boolean => Object.keys(table).every((key) => key === 'lesson' || key === 'section');

/** The page's address with the whole state in its fragment. */
export async function linkTo(lab: LiveLab): Promise<string> {
  if (hasOwnData(lab.state.config)) lab.complain({ code: 'E_LINK', message: NO_DATA, detail: '' });
  return new URL(await encodeLink(tableOf(lab)), location.href).href;
}

/** Opens the state in the address, or the page's own; a bad link is one sentence and the state before stays. */
export async function openAddress(lab: LiveLab): Promise<void> {
  const first = !lab.trace;
  try {
    const linked = isLink(location.hash) ? await readState(lab, location.hash) : null;
    if (linked) lab.dismiss(); // what was said of a link before is over
    if (linked) await lab.start(linked.state, linked.at);
    if (first && !lab.trace) await lab.start();
  } catch (error) {
    if (!(error instanceof BadLink)) throw error;
    if (first) await lab.start();
    lab.complain({ code: 'E_LINK', message: error.message, detail: location.hash.slice(0, 60) });
  }
}

async function readState(lab: LiveLab, fragment: string): Promise<ReturnType<typeof unpack>> {
  const table = await decodeLink(fragment);
  if (table.lesson === lab.page.lesson) return unpack(table);
  const name = table.lesson ? `the lesson "${table.lesson}"` : 'the workbench';
  throw new BadLink(`The link belongs to ${name}; open that page with it, or remove everything after # to stay here.`);
}

/** From now on the address follows the state, and the state the address. */
export function followAddress(lab: LiveLab): void {
  let timer = 0;
  let written = location.hash;
  const write = async (): Promise<void> => {
    const table = tableOf(lab);
    const plain = isPlain(table);
    if (plain && !isLink(location.hash)) return;
    written = plain ? '' : await encodeLink(table);
    history.replaceState(history.state, '', written || location.pathname + location.search);
  };
  const soon = (): void => {
    timer = window.setTimeout(() => ((timer = 0), void write()), PAUSE);
  };
  lab.addEventListener('change', () => {
    if (lab.busy === TRAINING) return;
    clearTimeout(timer);
    if (lab.busy) timer = 0;
    else soon();
  });
  lab.noteState = write;
  lab.addEventListener('training', () => {
    if (!timer && lab.busy === TRAINING) soon();
  });
  addEventListener('hashchange', () => {
    if (isLink(location.hash) && location.hash !== written) void openAddress(lab);
  });
}
