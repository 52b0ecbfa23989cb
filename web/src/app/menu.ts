// The lessons of the menu: no page contains them.
import { render } from 'lit';
import { rows } from 'virtual:menu';
import { mainLab } from '../lab/lab-root';
import { root } from '../engine/addresses';
import { builtHtml } from '../ui/built-html';

export function fill(menu: HTMLElement): void {
  const contents = menu.querySelector<HTMLElement>('.contents')!;
  if (contents.hasChildNodes()) return;
  render(builtHtml(rows), contents);
  for (const link of contents.querySelectorAll('a')) link.href = new URL(link.getAttribute('href')!, root).href;
  const here = mainLab()?.dataset.lesson;
  contents.querySelector(`[data-slug="${here}"] a`)?.setAttribute('aria-current', 'page');
}
