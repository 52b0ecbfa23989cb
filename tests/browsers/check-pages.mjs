// Every page opens, is stepped to its end, and shows its numbers.
import { complaints, open, PAGES, stepToEnd, until } from './hands.mjs';

export async function pages(browser, host) {
  const wrong = [];
  let cells = 0;
  for (const path of PAGES) {
    try {
      await open(browser, host.address + path);
      await stepToEnd(browser);
      cells += await until(browser, 'the board is filled', paintedTensors);
      wrong.push(...(await complaints(browser)).map((words) => `/${path}: ${words}`));
    } catch (error) {
      wrong.push(`/${path}: ${error.message}`);
    }
  }
  wrong.push(...host.missing.map((path) => `${path} is not there`));
  return { done: `${PAGES.length} pages opened and stepped to the end, ${cells} tensors on their boards`, wrong };
}

/** In the page: how many tensors the board shows; 0 as long as one of them has no colours, or the page tells of a problem. */
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
