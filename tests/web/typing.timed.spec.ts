// Timed: from a key press to the shapes after the lines.
import { editor, program } from './editor';
import { linkTo } from './links';
import { expect, open, test, wholeRun } from './pages';

/** Milliseconds: what follows a key press faster than this feels immediate. */
const MOST = 100;
const PRESSES = wholeRun ? 40 : 20;

/** Runs in the page: `took` is the time from the next key press until this shape stands after the line. The editor may
 *  make the element of the line anew. */
function timeNextPress(content: Element, wanted: string): { took: Promise<number> } {
  const line = (): Element | undefined =>
    [...content.querySelectorAll('.cm-line')].find((each) => each.textContent!.includes('probe = 1'));
  const took = new Promise<number>((done) => {
    const onPress = (): void => {
      const pressed = performance.now();
      const look = (): void => {
        if (line()?.querySelector('.cm-shape')?.textContent === wanted) done(performance.now() - pressed);
        else requestAnimationFrame(look);
      };
      look();
    };
    addEventListener('keydown', onPress, { once: true, capture: true });
  });
  return { took };
}

for (const [name, config] of [
  ['attention', { kind: 'program' }],
  ['bahdanau', { kind: 'program_seq2seq', task: 'reverse' }],
] as const)
  test(`${name}: shapes follow a key press within ${MOST} ms`, async ({ page }) => {
    const text = program(name).replace(/^(def .*\n)/m, '$1    probe = 1 + zeros(3)\n');
    await open(page, `workbench/${linkTo({ lesson: '', config, program: text })}`);
    const line = page.locator('u-program .cm-line', { hasText: 'probe = 1' });
    await expect(line.locator('.cm-shape')).toHaveText('3', { timeout: 20_000 });
    await line.click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    const times: number[] = [];
    for (let i = 0; i < PRESSES; i++) {
      const [key, shown] = i % 2 ? ['Backspace', '3'] : ['7', '37'];
      const timed = await editor(page).evaluateHandle(timeNextPress, shown!);
      await page.keyboard.press(key!);
      times.push(await timed.evaluate(({ took }) => took));
    }
    times.sort((a, b) => a - b);
    const [median, most] = [times[PRESSES / 2]!, times.at(-1)!];
    const description = `median ${median.toFixed(0)} ms, most ${most.toFixed(0)}`;
    test.info().annotations.push({ type: 'time', description });
    expect(median).toBeLessThanOrEqual(MOST);
  });
