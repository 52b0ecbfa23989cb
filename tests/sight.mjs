// The text in sight of a lesson's page outside the lesson's own column: whatever competes with it for the reader's eye.
// Digits painted on a canvas are not text, and are not counted.

/**
 * What each lesson may have in sight at 1280 × 800: a third of what it had when the bench showed all its instruments.
 * @type {Record<string, number>}
 */
export const MOST_IN_SIGHT = {
  softmax: 260,
  'one-step-of-learning': 305,
  'recurrent-cell': 305,
  'vanishing-gradients': 295,
  gates: 309,
  seq2seq: 332,
  'teacher-forcing': 300,
  bottleneck: 324,
  'looking-back': 326,
  alignment: 315,
  decoding: 359,
  'recurrent-language-model': 266,
  pictures: 298,
  'score-functions': 293,
  'query-key-value': 319,
  'four-words': 305,
  order: 311,
  masks: 370,
  'many-heads': 402,
  'attention-in-a-convnet': 313,
  'the-block': 324,
  'encoder-decoder': 356,
  'language-model': 332,
  'attention-today': 264,
};

/** Run in the page: all text in sight that does not lie in the lesson's column. */
function textsInSight() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = [];
  while (texts.nextNode()) {
    const { currentNode: text } = texts;
    const owner = text.parentElement;
    if (!text.data.trim() || owner.closest('article.text, script, style') || !owner.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const isSeen = ({ left, right, top, bottom }) => {
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return hit !== null && (hit === owner || owner.contains(hit));
    };
    if ([...range.getClientRects()].some(isSeen)) seen.push(text.data.trim().replace(/\s+/g, ' '));
  }
  return seen;
}

/**
 * @param {import('@playwright/test').Page} page with a lesson open
 * @returns {Promise<string[]>}
 */
export async function textInSight(page) {
  await page.waitForFunction(() => {
    const { trace, busy } = document.querySelector('u-lab').lab ?? {};
    return trace && !busy;
  });
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('* { pointer-events: auto !important; }'); // or a label would not be hit
    document.adoptedStyleSheets.push(sheet);
  });
  await page.waitForTimeout(1500); // its picture is drawn
  return page.evaluate(textsInSight);
}

/** @param {readonly string[]} texts */
export const charactersOf = (texts) => texts.reduce((sum, { length }) => sum + length, 0);
