// The one script of every page: the lab first, then the elements that show it.
import './styles/page.css';
import './shell/shell.css';
import { setLab } from './lab';
import { linkSource, type TopBar } from './shell/top-bar';
import { listenForKeys } from './stepper/keys';
import { LiveLab } from './state/live-lab';
import { readPage } from './state/page';
import { followAddress, linkTo, openAddress } from './state/url';
import { keepOffline, missPart, whyMissing } from './offline';

async function begin(): Promise<void> {
  const page = readPage(document.body.dataset);
  if (!page) return;
  const lab = new LiveLab(page);
  setLab(lab);
  linkSource.current = () => linkTo(lab);
  document.querySelector<TopBar>('u-top')?.requestUpdate(); // it may have been drawn before
  listenForKeys();
  window.addEventListener('vite:preloadError', ({ payload }) => void missPart(lab, payload));
  await Promise.all([import('./elements'), openAddress(lab)]);
  followAddress(lab);
}

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
