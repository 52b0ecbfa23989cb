// Applies the stored theme before the first paint; the rest of the page is a module and comes later.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // The browser keeps nothing: the system's theme holds.
}
