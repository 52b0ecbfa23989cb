// The lists of lessons, on the front page and in the menu: the reader's progress is shown in them when they are seen.
import { readerMoves } from '../ui/reader-moves';
import './contents.css';

const showAll = async (): Promise<void> => (await import('./shown-progress')).showAll();

/** Updates the front page on load and on every return to it, and the menu each time it opens. */
export function showProgress(): void {
  if (document.querySelector('main .contents')) addEventListener('pageshow', () => void showAll());
  const menu = document.getElementById('lessons-menu')!;
  const fill = async (): Promise<void> => (await import('./menu')).fill(menu);
  void readerMoves.then(fill).catch(() => undefined); // it is asked for again when the menu opens
  menu.addEventListener('toggle', async ({ newState }) => {
    if (newState !== 'open') return;
    await fill();
    menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
    await showAll();
  });
}
