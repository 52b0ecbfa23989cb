// The lists of lessons, on the front page and in the menu: the reader's progress is shown in them when they are seen.
import './contents.css';

const showAll = async (): Promise<void> => (await import('./shown-progress')).showAll();

/** Updates the front page on load and on every return to it, and the menu each time it opens. */
export function showProgress(): void {
  if (document.querySelector('main .contents')) addEventListener('pageshow', () => void showAll());
  const menu = document.getElementById('lessons-menu')!;
  menu.addEventListener('beforetoggle', (event) => {
    if ((event as ToggleEvent).newState === 'open') void showAll();
  });
  menu.addEventListener('toggle', () => menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' }));
}
