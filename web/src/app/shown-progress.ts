// Progress in the lists of lessons, on the front page and in the menu. The static page has the number of exercises;
// this adds how many are solved, and where to continue.
import { ALL_DONE, CONTINUE, progressWords } from '#messages/app';
import { BEGIN } from '#messages/pages';
import { mainLab } from '../lab/lab-root';
import { placeIn } from './reading-place';
import { keepTypedHere } from '../lab/store/web-storage';
import { CONTINUED, isBegun, isDone, progressIn, whereNext, type Progress } from '../lab/store/progress';

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-slug]')];

/** A lesson not yet begun keeps the text of the static page. */
function showProgressIn(row: HTMLElement, progress: Progress): void {
  if (!isBegun(progress)) return;
  row.dataset.state = isDone(progress) ? 'done' : 'begun';
  row.querySelector('.done')!.textContent = progressWords(progress);
}

/** The stops of the map on the front page. */
function showOnMap(all: readonly Progress[]): void {
  const here = all.some(isBegun) ? whereNext(all)?.lesson : undefined;
  for (const progress of all) {
    const stop = document.querySelector<HTMLElement>(`[data-stop="${progress.lesson}"]`);
    if (!stop) return;
    stop.toggleAttribute('data-here', progress.lesson === here);
    if (isBegun(progress)) stop.dataset.state = isDone(progress) ? 'done' : 'begun';
  }
}

function showNext(link: HTMLAnchorElement, all: readonly Progress[]): void {
  if (!all.some(isBegun)) return;
  const next = whereNext(all, mainLab()?.dataset.lesson);
  const { end, ending } = link.dataset;
  const [word, title, address] = next ? offerOf(next) : [ALL_DONE, ending!, end!];
  link.href = address;
  link.querySelector('.word')!.textContent = word;
  link.querySelector('.title')!.textContent = title;
  link.parentElement!.hidden = false;
  link.onclick = () => keepTypedHere(CONTINUED, next?.lesson ?? null);
}

/** A lesson that was begun goes on where it was left. */
function offerOf(next: Progress): [word: string, title: string, address: string] {
  const row = document.querySelector(`[data-slug="${next.lesson}"]`)!;
  const { href, textContent } = row.querySelector('a')!;
  const title = `${row.querySelector('.n')!.textContent} · ${textContent}`;
  return [isBegun(next) ? CONTINUE : BEGIN, title, href + placeIn(next.lesson)];
}

/** The front page has each lesson twice: in the list and in the menu. */
export async function showAll(): Promise<void> {
  const { exercises } = await import('virtual:exercises');
  const all = await progressIn(exercises);
  const byLesson = new Map(all.map((progress) => [progress.lesson, progress]));
  for (const row of rows()) showProgressIn(row, byLesson.get(row.dataset.slug!)!);
  showOnMap(all);
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.go-on a')) showNext(link, all);
}
