// Entry point of every page: creates the lab, then loads the elements that show it.
import '../styles/page.css';
import './shell.css';
import { setLab } from '../lab/lab';
import { placeMeanings } from '../lesson/meaning';
import { showProgress } from './contents';
import { linkSource, type TopBar } from './top-bar';
import { listenForKeys } from '../bench/transport/keys';
import { LiveLab } from '../lab/live-lab';
import { readPage, type Page } from '../lab/page';
import { markOpen } from '../lab/store/progress';
import { followAddress, linkTo, openAddress } from '../lab/link/url';
import { keepOffline, whyMissing } from '../engine/offline';

async function begin(): Promise<void> {
  showProgress();
  placeMeanings();
  const page = readPage(document.body.dataset);
  if (!page) return;
  if (isLesson(page)) void markOpen(page.lesson);
  const lab = new LiveLab(page);
  setLab(lab);
  linkSource.current = () => linkTo(lab);
  document.querySelector<TopBar>('u-top')?.requestUpdate(); // it may have rendered before linkSource was set
  listenForKeys();
  window.addEventListener('vite:preloadError', ({ payload }) => void reportMissingChunk(lab, payload));
  await Promise.all([import('./elements'), openAddress(lab)]);
  followAddress(lab);
}

const isLesson = ({ lesson }: Page): boolean => !!document.querySelector(`[data-slug="${CSS.escape(lesson)}"]`);

/** Reports it once: every render of the lab may ask for the same part again. */
async function reportMissingChunk(lab: LiveLab, { message: detail }: Error): Promise<void> {
  const message = await whyMissing();
  if (lab.problem?.message !== message) lab.reportProblem({ code: 'E_WORKER', message, detail });
}

/** Reports a failed start, when no element is there to do it. */
async function giveUp(error: unknown): Promise<void> {
  console.error(error);
  const words = document.createElement('p');
  words.className = 'given-up';
  words.setAttribute('role', 'alert');
  words.textContent = await whyMissing();
  document.body.prepend(words);
}

begin().catch(giveUp);
keepOffline();
