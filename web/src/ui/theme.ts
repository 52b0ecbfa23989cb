// Light, dark, or the system's choice. public/theme.js applies the stored choice before the first paint.
import { putText } from '../lab/store/web-storage';

export type Theme = 'auto' | 'light' | 'dark';

const ORDER: Theme[] = ['auto', 'light', 'dark'];
const KEY = 'theme';

export function theme(): Theme {
  const stored = document.documentElement.dataset.theme as Theme | undefined;
  return stored && ORDER.includes(stored) ? stored : 'auto';
}

/** Switches to the next of auto, light, dark and returns it. Views repaint on the window's 'themechange'. */
export function nextTheme(): Theme {
  const next = ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length]!;
  if (next === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  putText('browser', KEY, next); // without storage the choice lasts as long as the page
  dispatchEvent(new Event('themechange'));
  return next;
}
