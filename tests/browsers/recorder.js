// Runs before all scripts of a page and records its errors, as not every browser's driver reports the console.
(() => {
  const heard = [];
  globalThis.heard = heard;
  globalThis.sizesLate = 0;
  const { error } = console;
  console.error = (...words) => {
    heard.push(words.join(' '));
    error.apply(console, words);
  };
  // Undelivered ResizeObserver notifications are reported as errors but are harmless, so they are only counted.
  addEventListener('error', ({ message }) => {
    if (message.startsWith('ResizeObserver loop')) globalThis.sizesLate++;
    else heard.push(message);
  });
  addEventListener('unhandledrejection', ({ reason }) => heard.push(`rejected: ${reason?.stack ?? reason}`));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    heard.push(`against the policy: ${violatedDirective} ${blockedURI}`),
  );
})();
