// Timed: from a key press to the shapes after the lines.
import { program } from './editor';
import { linkTo } from './links';
import { expect, open, test, wholeRun } from './pages';

/** Milliseconds: what follows a key press faster than this feels immediate. */
const MOST = 100;
const PRESSES = wholeRun ? 40 : 20;

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
      const changed = line.evaluate(
        (element, wanted) =>
          new Promise<number>((done) => {
            let pressed = 0;
            addEventListener('keydown', () => (pressed = performance.now()), { once: true, capture: true });
            const look = (): void => {
              const now = element.querySelector('.cm-shape')?.textContent;
              if (pressed && now === wanted) done(performance.now() - pressed);
              else requestAnimationFrame(look);
            };
            look();
          }),
        shown,
      );
      await page.waitForTimeout(60);
      await page.keyboard.press(key!);
      times.push(await changed);
    }
    times.sort((a, b) => a - b);
    const [median, most] = [times[PRESSES / 2]!, times.at(-1)!];
    const description = `median ${median.toFixed(0)} ms, most ${most.toFixed(0)}`;
    test.info().annotations.push({ type: 'time', description });
    expect(median).toBeLessThanOrEqual(MOST);
  });
