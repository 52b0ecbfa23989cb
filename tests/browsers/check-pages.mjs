// Every page opens, steps to its end, and shows its numbers.
import { complaints, open, PAGES, stepToEnd, until } from './hands.mjs';

export async function pages(browser, host) {
  const wrong = [];
  let [cells, late] = [0, 0];
  for (const path of PAGES) {
    try {
      await open(browser, host.address + path);
      await stepToEnd(browser);
      cells += await until(browser, 'the board is filled', paintedTensors);
      late += await browser.evaluate(() => globalThis.sizesLate);
      const crowded = await browser.evaluate(crowdedPanels);
      wrong.push(...[...(await complaints(browser)), ...crowded].map((words) => `/${path}: ${words}`));
    } catch (error) {
      wrong.push(`/${path}: ${error.message}`);
    }
  }
  wrong.push(...host.missing.map((path) => `${path} is not there`));
  const done = `${PAGES.length} pages opened and stepped to the end, ${cells} tensors on their boards`;
  return { done: `${done}, told of sizes a frame late ${late} times (ResizeObserver loop)`, wrong };
}

/** Runs in the page: panels without room at the right edge for an overlay scrollbar. */
function crowdedPanels() {
  const scrolls = (panel) =>
    panel.scrollHeight > panel.clientHeight && /auto|scroll/.test(getComputedStyle(panel).overflowY);
  const liesOver = (panel) => panel.offsetWidth - panel.clientWidth < 2;
  const room = (panel) => {
    const right = (element) => element.getBoundingClientRect().right;
    return right(panel) - Math.max(...[...panel.children].map(right));
  };
  return [...document.querySelectorAll('.panel')]
    .filter((panel) => scrolls(panel) && liesOver(panel) && room(panel) < 12)
    .map((panel) => `a scrollbar lies over the panel "${panel.dataset.panel}"`);
}

/** Runs in the page: the number of tensors on the board, or 0 if one lacks colours or the page reports a problem. */
function paintedTensors() {
  const colours = (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  };
  const tensors = [...document.querySelectorAll('u-board [data-tensor]')];
  const painted = (tensor) => {
    const canvas = tensor.querySelector('canvas');
    return canvas?.width && canvas.height && colours(canvas) > 1;
  };
  const { problem } = document.querySelector('u-bench').lab;
  if (problem) throw new Error(`the page says "${problem.message}" (${problem.detail})`);
  return tensors.every(painted) ? tensors.length : 0;
}
