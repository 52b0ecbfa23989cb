// Goes before all scripts of a page, for not every browser's driver tells of the console: what went wrong, as sentences.
(() => {
  const heard = [];
  const { error } = console;
  console.error = (...words) => {
    heard.push(words.join(' '));
    error.apply(console, words);
  };
  // That an observer is told of the rest in the next frame only is no error, though it is told of as one.
  addEventListener('error', ({ message }) => message.startsWith('ResizeObserver loop') || heard.push(message));
  addEventListener('unhandledrejection', ({ reason }) => heard.push(`rejected: ${reason?.stack ?? reason}`));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    heard.push(`against the policy: ${violatedDirective} ${blockedURI}`),
  );
  globalThis.heard = heard;
})();
