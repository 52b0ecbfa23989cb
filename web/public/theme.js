// Applies the stored theme before the first paint; the rest of the page is a module and comes later.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // The browser keeps nothing: the system's theme holds.
}

// In a frame with a sandbox the page may have no origin: see unstarted() in vite.config.ts.
if (origin === 'null') document.documentElement.dataset.unstarted = '';
