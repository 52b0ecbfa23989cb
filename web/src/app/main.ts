// Entry point of every page: starts its main lab, and loads the elements that show labs.
import '../styles/page.css';
import './main.css';
import { showProgress } from './contents';
import { followPlace } from './reading-place';
import './top-bar';
import { listenForKeys } from '../bench/transport/keys';
import { mainLab } from '../lab/lab-root';
import { movedTo } from '../lab/old-names';
import type { Lab } from '../lab/lab';
import { markOpen, markRead } from '../lab/store/progress';
import { followAddress } from '../lab/link/url';
import { isLink } from '../lab/link/fragment';
import { shuffleOptions } from '../lesson/task/shuffle-options';
import { inSight } from '../ui/lab-element';
import { keepOffline, whyMissing } from '../engine/offline';

async function begin(): Promise<void> {
  showProgress();
  placeMeanings();
  document.querySelectorAll<HTMLElement>('u-task').forEach(shuffleOptions);
  await startFront();
  const lab = mainLab()?.lab;
  if (document.querySelector('u-progress')) await import('./progress/progress');
  if (document.querySelector('u-questions')) await import('./questions/questions');
  if (!lab) return;
  if (document.getElementById('lessons-menu')!.dataset.place) followReading(lab);
  if (!document.querySelector('u-bench')) return void (await import('./look'));
  listenForKeys();
  window.addEventListener('vite:preloadError', ({ payload }) => void reportMissingChunk(lab, payload));
  await Promise.all([import('./elements').then(({ more }) => more), followAddress(lab)]);
}

/** Records that it is open, how far it is read, and that it is read once the links after its text are in sight. */
function followReading(lab: Lab): void {
  const { lesson } = lab.page;
  const moved = movedTo(lesson, location.hash);
  if (moved) return location.replace(moved);
  followPlace(lab);
  void markOpen(lesson);
  void inSight(document.querySelector('.next')!, '0px').then(() => markRead(lesson));
}

/** What only the front page has. */
async function startFront(): Promise<void> {
  const course = document.getElementById('course');
  if (!course) return;
  const [{ followCourse }] = await Promise.all([import('./front/course'), import('./front/translator')]);
  followCourse(course);
  if (!isLink(location.hash)) return;
  const { workbenchFor } = await import('./front/old-link');
  const address = await workbenchFor(location.hash);
  if (address) location.replace(address);
}

/** Reports it once, as every render of the lab may ask for the same part again, and never in place of what is lost. */
async function reportMissingChunk(lab: Lab, { message: detail }: Error): Promise<void> {
  const message = await whyMissing();
  const shown = lab.problem;
  if (shown?.code !== 'E_STORAGE' && shown?.message !== message)
    lab.reportProblem({ code: 'E_WORKER', message, detail });
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

// The popover of a glossary term stands below the term, or above if there is no room. The browser opens and closes it.

const GAP = 6;

function place(meaning: HTMLElement): void {
  const word = meaning.parentElement!.querySelector('button')!.getBoundingClientRect();
  const width = meaning.offsetWidth;
  const left = Math.max(GAP, Math.min(word.left, document.documentElement.clientWidth - width - GAP));
  const below = word.bottom + GAP + meaning.offsetHeight <= innerHeight;
  meaning.style.left = `${left + scrollX}px`;
  meaning.style.top = `${(below ? word.bottom + GAP : word.top - GAP - meaning.offsetHeight) + scrollY}px`;
}

function placeMeanings(): void {
  const onToggle = ({ target }: Event): void => {
    if (target instanceof HTMLElement && target.matches('.meaning:popover-open')) place(target);
  };
  document.addEventListener('toggle', onToggle, true);
}

begin().catch(giveUp);
keepOffline();
