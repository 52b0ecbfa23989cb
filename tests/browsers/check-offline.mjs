// Pages opened before still open when their host is gone, and the engine runs and trains.
import { open, stepToEnd, until } from './hands.mjs';

const OPENED = ['workbench/', 'lessons/seq2seq/'];
const STEPS = 20;

export async function offline(browser, host) {
  for (const path of OPENED) {
    await open(browser, host.address + path);
    await stepToEnd(browser);
    await until(browser, 'all is kept', isKept);
  }
  host.stop();
  for (const path of OPENED) {
    await browser.goto('about:blank');
    await open(browser, host.address + path);
    await stepToEnd(browser);
  }
  const trained = await browser.evaluate(train, STEPS);
  const wrong = await browser.evaluate(() => globalThis.heard);
  if (trained.steps !== STEPS) wrong.push(`it trained ${trained.steps} steps: ${trained.problem}`);
  browser.heard.splice(0); // the console reports the missing network at each request
  return { done: `${OPENED.length} pages opened with the host stopped, ${STEPS} steps trained`, wrong };
}

/** Runs in the page: whether the service worker has cached its files. */
async function isKept() {
  if (!navigator.serviceWorker?.controller) return false;
  const fetched = performance.getEntriesByType('resource').map(({ name }) => name);
  const kept = await Promise.all([location.href, ...fetched].map((url) => caches.match(url.replace(/[?#].*/, ''))));
  return kept.every(Boolean);
}

async function train(steps) {
  const { lab } = document.querySelector('u-bench');
  const before = lab.training.step;
  await lab.train(() => steps);
  return {
    steps: lab.training.step - before,
    problem: lab.problem && `${lab.problem.message} (${lab.problem.detail})`,
  };
}
