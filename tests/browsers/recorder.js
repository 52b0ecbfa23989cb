// Goes before all scripts of a page, for not every browser's driver tells of the console: what went wrong, as sentences.
(() => {
  const heard = [];
  globalThis.heard = heard;
  globalThis.sizesLate = 0;
  const { error } = console;
  console.error = (...words) => {
    heard.push(words.join(' '));
    error.apply(console, words);
  };
  // That an observer is told of the rest in the next frame only is no error, though browsers call it one: it is counted.
  addEventListener('error', ({ message }) => {
    if (message.startsWith('ResizeObserver loop')) globalThis.sizesLate++;
    else heard.push(message);
  });
  addEventListener('unhandledrejection', ({ reason }) => heard.push(`rejected: ${reason?.stack ?? reason}`));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    heard.push(`against the policy: ${violatedDirective} ${blockedURI}`),
  );
})();
