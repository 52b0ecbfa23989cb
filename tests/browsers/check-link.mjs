// A link copied with a click is in the clipboard, and leads back to the same state.
import { open, press, stepShown, until } from './hands.mjs';

export async function link(browser, host) {
  await browser.allowClipboard(host.address);
  await open(browser, `${host.address}workbench/`);
  await press(browser, 'Step forward');
  await press(browser, 'Step forward');
  const { step } = await until(browser, 'two steps are taken', twoSteps);
  await press(browser, 'Copy link');
  const told = await until(browser, 'the page tells of the link', () => {
    const words = document.querySelector('u-top [role=status]').textContent;
    return words.startsWith('Link') && words;
  });
  if (told !== 'Link copied') return { wrong: [`the page says "${told}"`] };
  await browser.evaluate(layOut);
  await browser.paste();
  const pasted = await until(browser, 'something is pasted', () => document.querySelector('#paste').value);
  await browser.goto('about:blank');
  await browser.goto(pasted);
  const { step: there } = await stepShown(browser);
  const wrong = there === step ? [] : [`the link was copied at step ${step} and opens at ${there}: ${pasted}`];
  return { done: `a link was copied with a click, pasted and opened`, wrong };
}

function twoSteps() {
  return document.querySelectorAll('u-transport .reached').length === 2 && { step: 2 };
}

/** A place to paste to. */
function layOut() {
  const field = document.createElement('textarea');
  field.id = 'paste';
  document.body.prepend(field);
  field.focus();
}
