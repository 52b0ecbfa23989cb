// On each kind of host: pages opened once open again when the host is gone, show the same, step, train and keep what they
// trained.
import { HOSTS, isKept } from '../offline-host.mjs';
import { complaints, open, stepShown, stepToEnd, until } from './hands.mjs';
import { Host } from './host.mjs';

const [BENCH, LESSON] = ['workbench/', 'lessons/seq2seq/'];
const STEPS = 20;
/** What Chromium and Firefox say of a request that no host answers. */
const NO_NETWORK = /net::ERR_|FetchEvent\.respondWith\(\) that rejected with ‘Error: no-response/;

export async function offline(browser) {
  const wrong = [];
  for (const how of HOSTS) {
    const host = await new Host(how).start();
    const found = await withoutHost(browser, host).catch((error) => [error.message]);
    await host.stop();
    wrong.push(...found.map((words) => `${how.what}: ${words}`));
  }
  const done = `on ${HOSTS.length} hosts: first visit, host stopped, reload and another page; ${STEPS} steps trained and kept`;
  return { done, wrong };
}

async function withoutHost(browser, host) {
  browser.heard.splice(0); // of the host before
  const [bench, lesson] = [host.address + BENCH, host.address + LESSON];
  const shown = {};
  for (const address of [bench, lesson]) {
    await open(browser, address);
    await stepToEnd(browser);
    shown[address] = await until(browser, 'the numbers are shown', numbersAtRest);
    await until(browser, `all of ${address} is kept`, isKept, host.toKeep);
  }
  const wrong = await complaints(browser);
  await host.stop();
  for (const address of [lesson, bench, lesson]) {
    await browser.goto('about:blank');
    await open(browser, address);
    await stepToEnd(browser);
    const now = await until(browser, 'the numbers are shown', numbersAtRest);
    if (now !== shown[address]) wrong.push(`${address} shows other numbers or another style without its host`);
    wrong.push(...(await complaints(browser)).filter((words) => !NO_NETWORK.test(words)));
  }
  return [...wrong, ...(await trainedAndKept(browser))];
}

/** Trains on the open page without a host, and reloads it. */
async function trainedAndKept(browser) {
  const trained = await browser.evaluate(train, STEPS);
  const wrong = trained.steps === STEPS ? [] : [`it trained ${trained.steps} steps`];
  if (trained.problem) wrong.push(`after the training it says "${trained.problem}"`);
  await browser.goto('about:blank');
  await browser.goto(trained.address);
  await stepShown(browser);
  const step = await browser.evaluate(() => document.querySelector('u-bench').lab.training.step);
  const replayed = await browser.evaluate(() => document.querySelector('u-bench').lab.training.elapsed > 0);
  if (step !== trained.step || replayed)
    wrong.push(`step ${trained.step} was not kept: a reload shows ${step}${replayed ? ', trained again' : ''}`);
  wrong.push(...(await complaints(browser)).filter((words) => !NO_NETWORK.test(words)));
  return wrong;
}

/** Runs in the page: its style and the numbers on its board, once they no longer change; otherwise null. */
async function numbersAtRest() {
  const look = () => {
    const numbers = [...document.querySelectorAll('u-board [data-tensor]')].map((cell) => cell.textContent);
    const { fontFamily, backgroundColor } = getComputedStyle(document.body);
    return numbers.length ? JSON.stringify([fontFamily, backgroundColor, numbers]) : null;
  };
  const before = look();
  await new Promise((later) => setTimeout(later, 500));
  const rests = document.querySelector('u-bench').getAttribute('aria-busy') === 'false';
  return rests && look() === before ? before : null;
}

/** Runs in the page. */
async function train(steps) {
  const { lab } = document.querySelector('u-bench');
  const before = lab.training.step;
  await lab.train(() => steps);
  return {
    steps: lab.training.step - before,
    step: lab.training.step,
    address: location.href,
    problem: lab.problem && `${lab.problem.message} (${lab.problem.detail})`,
  };
}
