// For which settings the numbers in the text hold: those of the lesson, whatever the bench has been set to.
import { heldWith, WITHOUT_CHANGES } from '#messages/lesson/controls';
import { hostOf, type Lab } from '../lab/lab';
import { experimentOf } from '../lab/changes';
import { emptyState } from '../lab/link/table';
import type { Config } from '../engine/types';

/** Settings of the lesson, or of a step's `given`, that the bench has otherwise. */
export function otherSettings(lab: Lab, given: Config = {}): Config {
  const [{ page }, now] = [lab, lab.config()];
  const own = { ...experimentOf(page, emptyState(page.lesson)).config, ...given };
  return Object.fromEntries(Object.entries(own).filter(([name, value]) => String(now[name]) !== String(value)));
}

/** "with temperature 1"; "" where the bench is as the lesson made it. */
export function holdsWith(lab: Lab, given: Config = {}): string {
  const others = Object.entries(otherSettings(lab, given));
  if (others.length) return heldWith(others.map(([name, value]) => [name, String(value)]));
  return lab.state.edits.length || lab.state.inputs.length ? WITHOUT_CHANGES : '';
}

/** Marks each number of the text that the bench contradicts, and says on it for what it holds. */
export function markNumbers(): void {
  const first = document.querySelector('article data.val');
  if (!first) return;
  const { lab } = hostOf(first);
  const mark = (): void => {
    const words = holdsWith(lab);
    for (const number of document.querySelectorAll<HTMLElement>('article data.val:not(.given)')) {
      number.classList.toggle('held', words !== '');
      number.title = words;
    }
  };
  lab.addEventListener('run', mark);
  mark();
}
