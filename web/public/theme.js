// Applies the stored theme and the width of the text before the first paint; the rest of the page is a module and comes later.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const width = Number(localStorage.getItem('text-width')); // see bench/divider.ts
  if (width >= 20 && width <= 52) document.documentElement.style.setProperty('--text-width', width + 'rem');
} catch {
  // The browser keeps nothing: the system's theme holds.
}

// In a frame with a sandbox the page may have no origin: see unstarted() in vite.config.ts.
if (origin === 'null') document.documentElement.dataset.unstarted = '';
