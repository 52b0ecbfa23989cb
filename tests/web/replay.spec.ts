// The cursor moves over a finished run: the numbers at a position are always the same.
import { linkTo } from './links';
import {
  benchOf,
  drawn,
  expect,
  expectStep,
  inAll,
  open,
  openNumbers,
  place,
  press,
  settled,
  some,
  tabled,
  test,
  toOperation,
  wholeRun,
  type Page,
  type WithLab,
} from './pages';

const JUMPS = wholeRun ? 1000 : 100;

const PROGRAM = `def mix(x, W):
    return tanh(x @ W)

def attend(X=randn(4, 3), mask=triu(ones(4, 4), 1)):
    for i in range(2):
        X = mix(X, parameter(f"{i}.W", (3, 3)))
    α = softmax((X @ X.T).masked_fill(mask > 0, -inf), dim=-1)
    return α @ X
`;
/** One model of each kind, small enough to be walked through in a moment. */
const KINDS = {
  softmax: {},
  attention: {},
  attention_layer: { words: 3, size: 4, heads: 2 },
  recurrent: { cell: 'gru', positions: 3, hidden: 4, size: 3 },
  seq2seq: { task: 'reverse', attention: 'bahdanau', embedding: 4, hidden: 4, attention_size: 4 },
  transformer: { task: 'reverse' },
  transformer_lm: { task: 'stories' },
  language_model: { task: 'stories' },
  unigram: {},
};

const WALKED = [
  ['the lab’s own attention', 'workbench/', JUMPS],
  [
    'a program',
    `workbench/${linkTo({ lesson: '', config: { kind: 'program' }, program: PROGRAM })}`,
    Math.min(2 * JUMPS, 1000),
  ],
] as const;

/**
 * Presses the key until the cursor no longer moves. At each stop: the cursor, the bits of the tensor that it stands on, and
 * every number on the page. All values are read from the engine anew.
 */
const walk = (page: Page, key: 'ArrowLeft' | 'ArrowRight'): Promise<{ cursor: object }[]> =>
  benchOf(page).evaluate(async ({ lab }: WithLab, key) => {
    const slider = document.querySelector<HTMLElement>('[role=slider][aria-label=Step]')!;
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    const look = (): string =>
      [...document.querySelectorAll('[data-tensor]')]
        .map((cell) => `${cell.getAttribute('data-tensor')} ${cell.textContent}`)
        .join('\n');
    const rest = async (): Promise<string> => {
      for (let same = 0, before = ''; ;) {
        await frame();
        const now = look();
        same = now === before && !lab.busy ? same + 1 : 0;
        before = now;
        if (same > 5) return now;
      }
    };
    const at = async () => {
      const node = lab.trace!.nodes[lab.cursor.node];
      while (node && !lab.values(node)) await frame();
      const bits = node && [...new Uint32Array(lab.values(node)!.slice().buffer)];
      return { cursor: lab.cursor, bits, shown: await rest() };
    };
    lab.forgetValues();
    const seen = [await at()];
    for (;;) {
      const { cursor } = lab;
      slider.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      await frame();
      if (lab.cursor.node === cursor.node && lab.cursor.scope === cursor.scope) return seen;
      seen.push(await at());
    }
  }, key);

for (const [kind, settings] of some(Object.entries(KINDS), ([kind]) =>
  ['attention', 'seq2seq', 'transformer'].includes(kind),
))
  test(`${kind}: to the end, stop by stop back to the start, to the end again: the same bits`, async ({ page }) => {
    const config = { kind, ...settings };
    await open(page, `workbench/${linkTo({ lesson: '', config, stage: 'numbers', pinned: 'none' })}`);
    await press(page, 'Show as table');
    const there = await walk(page, 'ArrowRight');
    const { step, of } = await place(page);
    expect(step).toBe(of);
    expect(there.length).toBeGreaterThan(3);
    const back = await walk(page, 'ArrowLeft');
    await expectStep(page, 0);
    expect(back.reverse()).toEqual(there);
    expect(await walk(page, 'ArrowRight')).toEqual(there);
  });

for (const [what, address, jumps] of WALKED)
  (what === 'a program' ? test : inAll)(
    `${jumps} random jumps in ${what}: every position shows the same numbers as at the first visit`,
    async ({ page }) => {
      await openNumbers(page, address);
      await press(page, 'Show as table');
      const { of } = await place(page);
      const operations = await benchOf(page).evaluate(({ lab }: WithLab) =>
        lab.trace!.nodes.filter(({ phase }) => phase !== 'leaf').map(({ name }) => name),
      );
      for (const name of operations) {
        await toOperation(page, name);
        await drawn(page);
        await tabled(page);
      }
      await settled(page); // what is shown anywhere is here by now
      const { visits, others } = await page.evaluate(
        async ({ of, jumps }) => {
          const keys = [
            'Home',
            'End',
            ...Array(4).fill('ArrowLeft'),
            ...Array(4).fill('ArrowRight'),
            'i',
            'i',
            'i',
            'i',
            'i',
            'u',
          ] as string[]; // most go into parts, and along them
          const slider = document.querySelector<HTMLElement>('[role=slider][aria-label=Step]')!;
          const { left, width, top } = slider.getBoundingClientRect();
          slider.setPointerCapture = () => undefined; // no real pointer to capture
          let seed = 1;
          const below = (count: number): number => {
            seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
            return (seed >>> 8) % count;
          };
          const jump = (): boolean => {
            const clientX = left + (width * below(of + 1)) / of;
            const event =
              below(8) === 0
                ? new PointerEvent('pointerdown', { clientX, clientY: top, bubbles: true })
                : new KeyboardEvent('keydown', { key: keys[below(keys.length)]!, bubbles: true, cancelable: true });
            return slider.dispatchEvent(event);
          };
          const tables = (): { updateComplete: Promise<unknown> }[] => [...document.querySelectorAll<any>('u-heatmap')];
          const look = (): string =>
            [...document.querySelectorAll('[data-tensor]')]
              .map((cell) => `${cell.getAttribute('data-tensor')} ${cell.textContent}`)
              .join('\n');
          const { port1, port2 } = new MessageChannel();
          const frames: FrameRequestCallback[] = [];
          port1.onmessage = () => frames.shift()!(performance.now());
          window.requestAnimationFrame = (draw) => (port2.postMessage(null), frames.push(draw)); // frames without waiting for the screen
          const first = new Map<string, string>();
          const visits: Record<string, number> = {};
          const others: { jump: number; where: string }[] = [];
          for (let i = 0; i < jumps; i++) {
            jump();
            for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
            await Promise.all(tables().map((table) => table.updateComplete)); // they take turns
            const where = JSON.stringify(document.querySelector<WithLab>('u-bench')!.lab.cursor);
            const seen = look();
            if (first.has(where) && first.get(where) !== seen) others.push({ jump: i, where });
            if (!first.has(where)) first.set(where, seen);
            visits[where] = (visits[where] ?? 0) + 1;
          }
          return { visits, others };
        },
        { of, jumps },
      );
      expect(others).toEqual([]);
      expect(Object.values(visits).filter((count) => count > 1).length).toBeGreaterThan(of / 3);
    },
  );

test('reset gives the same bits, a new seed others', async ({ page }) => {
  await openNumbers(page, 'workbench/');
  const numbers = async (): Promise<string> => {
    await press(page, 'Last step');
    return settled(page);
  };
  const first = await numbers();
  await press(page, 'Reset');
  await expectStep(page, 0);
  expect(await numbers()).toBe(first);
  const seed = page.getByRole('textbox', { name: 'Seed' });
  const before = await seed.inputValue();
  await press(page, 'New seed');
  await expect(seed).not.toHaveValue(before);
  expect(await numbers()).not.toBe(first);
});
