// The one script of every page: the lab first, then the elements that show it.
import './styles/page.css';
import './shell/shell.css';
import { setLab } from './lab';
import { placeMeanings } from './lesson/meaning';
import { tellProgress } from './shell/contents';
import { linkSource, type TopBar } from './shell/top-bar';
import { listenForKeys } from './stepper/keys';
import { LiveLab } from './state/live-lab';
import { readPage, type Page } from './state/page';
import { markOpen } from './state/progress';
import { followAddress, linkTo, openAddress } from './state/url';
import { keepOffline, missPart, whyMissing } from './offline';

async function begin(): Promise<void> {
  tellProgress();
  placeMeanings();
  const page = readPage(document.body.dataset);
  if (!page) return;
  if (isLesson(page)) void markOpen(page.lesson);
  const lab = new LiveLab(page);
  setLab(lab);
  linkSource.current = () => linkTo(lab);
  document.querySelector<TopBar>('u-top')?.requestUpdate(); // it may have been drawn before
  listenForKeys();
  window.addEventListener('vite:preloadError', ({ payload }) => void missPart(lab, payload));
  await Promise.all([import('./elements'), openAddress(lab)]);
  followAddress(lab);
}

const isLesson = ({ lesson }: Page): boolean => !!document.querySelector(`[data-slug="${CSS.escape(lesson)}"]`);

/** Nothing of the page stands that could say it. */
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
