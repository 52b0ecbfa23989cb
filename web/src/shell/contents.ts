// The lists of lessons, on the front page and in the menu: the page says how many exercises there are, this how many are
// solved, and where to go on.
import { isBegun, isDone, progressIn, whereNext, type Progress } from '../state/progress';

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-slug]')];

/** What is shown next to a lesson that was not begun stands in the page. */
function tell(row: HTMLElement, progress: Progress): void {
  if (!isBegun(progress)) return;
  row.dataset.state = isDone(progress) ? 'done' : 'begun';
  row.querySelector('.done')!.textContent = `${progress.solved} of ${progress.tasks} solved`;
}

function tellNext(link: HTMLAnchorElement, all: readonly Progress[]): void {
  if (!all.some(isBegun)) return;
  const next = whereNext(all, document.body.dataset.lesson);
  const { end, ending } = link.dataset;
  const row = next && document.querySelector(`[data-slug="${next.lesson}"]`);
  const title = row ? `${row.querySelector('.n')!.textContent} · ${row.querySelector('a')!.textContent}` : ending!;
  link.href = row ? row.querySelector('a')!.href : end!;
  link.querySelector('.word')!.textContent = row ? 'Go on' : 'All are done';
  link.querySelector('.title')!.textContent = title;
}

/** Each lesson stands on the front page twice, in the list and in the menu. */
async function tellAll(): Promise<void> {
  const { exercises } = await import('virtual:exercises');
  const all = await progressIn(exercises);
  const byLesson = new Map(all.map((progress) => [progress.lesson, progress]));
  for (const row of rows()) tell(row, byLesson.get(row.dataset.slug!)!);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.go-on a')) tellNext(link, all);
}

/** On the front page at once, and whenever somebody comes back to it; in the menu when it opens. */
export function tellProgress(): void {
  if (document.querySelector('article .contents')) addEventListener('pageshow', () => void tellAll());
  const menu = document.getElementById('lessons-menu')!;
  menu.addEventListener('beforetoggle', (event) => {
    if ((event as ToggleEvent).newState === 'open') void tellAll();
  });
  menu.addEventListener('toggle', () => menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' }));
}
