// The learner's own programs: typed into the editor, checked as they are typed, run, stepped, trained and sent.
import { choose, editor, line, mistake, program, run, runWhole, shape, textOf, type, typeAfter } from './editor';
import { chooseModel, copiedLink } from './hands';
import { linkTo } from './links';
import { expect, inAll, notice, open, type Page, place, press, rested, showStage, test } from './pages';
import { figure, panel } from './trainings';

const REVERSE = { kind: 'program_seq2seq', task: 'reverse', batch: 4, optimiser: 'adam', learning_rate: 0.01 };

test('a program is checked as it is typed, and runs when asked to', async ({ page }) => {
  await choose(page, 'program');
  await expect(shape(page, 3)).toHaveText('4 × 5');
  await type(page, 'def scores(Q=randn(4, 3), K=randn(4, 3)):\n    S = Q @ K\n    return S\n');
  await expect(mistake(page)).toHaveText(
    'line 2, column 11: Q is 4 × 3 and K is 4 × 3: @ needs 3 = 4. Did you mean K.T?',
  );
  await expect(editor(page).locator('.cm-lintRange-error')).toHaveText('@');
  await run(page); // refused: the program before goes on
  await showStage(page, 'Numbers');
  await expect(page.locator('u-board')).toContainText('softmax');
  await typeAfter(page, 2, '.T');
  await expect(mistake(page)).toHaveText('');
  await expect(shape(page, 2)).toHaveText('4 × 4');
  await runWhole(page);
  await showStage(page, 'Numbers');
  await expect(page.locator('u-board')).not.toContainText('softmax');
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
});

test('the running line is lit, and steps go into the functions of the program', async ({ page }) => {
  await choose(page, 'program');
  await type(page, 'def double(x):\n    return x + x\n\ndef f(x=ones(2)):\n    y = double(x)\n    return y * x\n');
  await runWhole(page);
  const lit = editor(page).locator('.cm-on');
  await expect(lit).toHaveCount(0);
  await page.getByRole('slider', { name: 'Step' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(lit).toContainText('y = double(x)');
  await page.keyboard.press('Home');
  await page.keyboard.press('i');
  await expect(lit).toContainText('return x + x');
  await page.keyboard.press('ArrowRight');
  await expect(lit).toContainText('return y * x');
  await page.keyboard.press('End'); // the last gradient is that of x, from the first line that used it
  await expect(lit).toContainText('return x + x');
  await press(page, 'Engine');
  await expect(page.getByRole('listbox', { name: 'Source of engine/' })).toBeVisible();
  await press(page, 'Your program');
  await expect(lit).toBeVisible();
});

test('names are completed, with what they do; Tab takes the first', async ({ page }) => {
  await choose(page, 'program');
  await type(page, 'def f(x=ones(2, 3)):\n    return soft');
  await typeAfter(page, 2, 'm');
  const names = page.locator('u-program .cm-tooltip-autocomplete');
  await expect(names.getByRole('option').first()).toContainText('softmax');
  await page.waitForTimeout(100); // a list that has just opened takes no key yet
  await page.keyboard.press('Tab');
  await page.keyboard.type('x, -1');
  await expect(line(page, 2)).toContainText('return softmax(x, -1)');
  await expect(mistake(page)).toHaveText('');
});

test('Escape, then Tab leaves the editor', async ({ page }) => {
  await choose(page, 'program');
  await editor(page).click();
  await page.keyboard.press('Tab');
  await expect(editor(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(editor(page)).not.toBeFocused();
});

/** Waits until the tab has kept what is being written. */
const expectKept = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.evaluate(() => Object.values(sessionStorage).join())).toContain(text);

test('what is being written outlasts a reload, and a link holds what runs', async ({ page }) => {
  await choose(page, 'program');
  await type(page, 'def f(x=ones(2)):\n    return x + 1\n');
  await run(page);
  await showStage(page, 'Numbers');
  await expect(page.locator('u-board')).not.toContainText('softmax'); // it runs
  const link = await copiedLink(page);
  await typeAfter(page, 2, ' + ');
  await expect(mistake(page)).toContainText('line 2');
  await expectKept(page, 'x + 1 + ');
  await page.reload();
  await expect(line(page, 2)).toHaveText(/x \+ 1 \+/);
  await press(page, 'Undo changes');
  await expect.poll(() => textOf(page)).toBe('def f(x=ones(2)):\n    return x + 1\n');
  await page.goto('about:blank');
  await open(page, link);
  await expect(line(page, 2)).toContainText('return x + 1');
});

test('a link shows its own program, whatever was being written here', async ({ page }) => {
  await choose(page, 'program');
  await line(page, 2).click();
  await page.keyboard.type('# mine');
  await expectKept(page, '# mine');
  const other = 'def f(x=ones(2)):\n    return x * 3\n';
  await page.goto('about:blank');
  await open(page, `workbench/${linkTo({ lesson: '', config: { kind: 'program' }, program: other })}`);
  await expect.poll(() => textOf(page)).toBe(other);
});

test('a program that does not end is refused in a sentence, and the one before goes on', async ({ page }) => {
  await choose(page, 'program');
  await type(page, 'def f(x=ones(2)):\n    while True:\n        x = x + 1\n    return x\n');
  await expect(mistake(page)).toContainText(/line 3, column \d+: .*operations/, { timeout: 20_000 });
  await press(page, 'Undo changes');
  await expect(mistake(page)).toHaveText('');
  await expect(shape(page, 3)).toHaveText('4 × 5');
});

test('a program from a link trains only when asked to', async ({ page }) => {
  await open(page, `workbench/${linkTo({ lesson: '', config: REVERSE, program: program('average'), steps: 20 })}`);
  expect(await figure(page, 'step')).toMatch(/^0/);
  await expect(notice(page)).toContainText('step 0 of 20');
  await notice(page).getByRole('button', { name: 'Continue training' }).click();
  await expect.poll(() => figure(page, 'step')).toMatch(/^20/);
});

test('training that makes a gradient infinite says in which line, and why', async ({ page }) => {
  const config = { kind: 'program_lm', task: 'stories', batch: 4, learning_rate: 0.01 };
  const rooted =
    'def forward(ids):\n' +
    "    E = parameter('E', (VOCABULARY, 8))\n" +
    '    return sqrt(embedding(ids, E) * 0) @ E.T\n';
  await open(page, `workbench/${linkTo({ lesson: '', config, program: rooted })}`);
  await rested(page);
  await press(page, 'Train');
  await expect(notice(page)).toContainText(
    /line 3, column 12: the gradient through sqrt\(…\) is −?∞ at .*; the slope of sqrt at 0 is infinite/,
  );
  expect(await figure(page, 'step')).toMatch(/^0/);
});

test('Train runs what has been written, and trains nothing while that has a mistake', async ({ page }) => {
  await open(page, `workbench/${linkTo({ lesson: '', config: REVERSE, program: program('average') })}`);
  await rested(page);
  await type(page, program('average').replace('tanh(y + mean)', 'tanh(y + men)'));
  await expect(mistake(page)).toContainText('Did you mean mean?');
  await showStage(page, 'Training');
  await panel(page).getByRole('textbox', { name: 'Steps to train' }).fill('5');
  await press(page, 'Train');
  await expect(notice(page)).toContainText('Did you mean mean?');
  expect(await figure(page, 'step')).toMatch(/^0/);
  const mended = program('average').replace('tanh(y + mean)', 'tanh(y - mean)');
  await type(page, mended);
  await expect(mistake(page)).toHaveText('');
  await showStage(page, 'Training');
  await panel(page).getByRole('textbox', { name: 'Steps to train' }).fill('5');
  await press(page, 'Train');
  await expect.poll(() => figure(page, 'step')).toMatch(/^5/);
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled();
  await expect.poll(() => textOf(page)).toBe(mended);
});

test('a mistake that only training finds is marked in the program', async ({ page }) => {
  const text =
    'def forward(source, target_in):\n    E = parameter("E", (TARGET_VOCABULARY, 8))\n' +
    '    few = 1 // int((source == PAD).sum() < 3)\n    return few * embedding(target_in, E) @ E.T\n';
  await open(page, `workbench/${linkTo({ lesson: '', config: { ...REVERSE, batch: 8 }, program: text })}`);
  await rested(page);
  await press(page, 'Train');
  await expect(mistake(page)).toContainText(/line 3, column \d+: this divides by 0/);
});

/** A program of at most so many lines. */
async function typeAndTrain(page: Page, kind: string, name: string, most: number): Promise<void> {
  await choose(page, kind);
  const text = program(name);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(most);
  await type(page, text);
  await expect.poll(() => textOf(page)).toBe(text);
  await runWhole(page);
  await press(page, 'Train');
}

inAll('Bahdanau’s model, typed, learns to reverse', async ({ page }) => {
  test.setTimeout(240_000);
  await typeAndTrain(page, 'program_seq2seq', 'bahdanau', 45);
  await expect(panel(page).getByRole('button', { name: 'Train' })).toBeVisible({ timeout: 120_000 });
  await expect.poll(async () => parseFloat(await figure(page, 'exact match')), { timeout: 60_000 }).toBeGreaterThan(99);
});

inAll('a GPT, typed, reaches the bar of stories', async ({ page }) => {
  test.setTimeout(900_000);
  await typeAndTrain(page, 'program_lm', 'gpt', 40);
  await expect.poll(() => figure(page, 'step'), { timeout: 800_000 }).toMatch(/^1,?500$/);
  await expect(panel(page)).toContainText('perplexity', { timeout: 60_000 });
  // within 5 % of the true entropy: log 1.4446
  await expect
    .poll(async () => Math.log(parseFloat(await figure(page, 'perplexity'))), { timeout: 60_000 })
    .toBeLessThanOrEqual(1.05 * Math.log(1.4446));
});

async function writePart(page: Page, part: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Written by you' }).selectOption(part);
  await rested(page);
}

test('a learner’s attention stands in the lab’s transformer, and trains', async ({ page }) => {
  await open(page, 'workbench/');
  await chooseModel(page, 'transformer');
  await press(page, 'Last step');
  const { of: own } = await place(page);
  await writePart(page, 'attention');
  await expect(editor(page)).toContainText('def attend(Q, K, V, mask):');
  await expect(shape(page, 4)).toHaveText(/^\d+ × \d+ × \d+$/);
  expect((await place(page)).of).not.toBe(own);
  await showStage(page, 'Training');
  await panel(page).getByRole('textbox', { name: 'Steps to train' }).fill('20');
  await press(page, 'Train');
  await expect.poll(() => figure(page, 'step'), { timeout: 60_000 }).toMatch(/^20/);
  await writePart(page, 'none');
  await expect(editor(page)).toHaveCount(0);
});

test('a learner’s attention and the lab’s own: the same bits, the same losses', async ({ page }) => {
  await open(page, 'workbench/');
  await chooseModel(page, 'transformer');
  await expect(page.getByRole('heading', { name: 'Yours and the lab’s own' })).toHaveCount(0);
  await writePart(page, 'attention');
  await page.locator('u-setup [name=steps]').fill('20');
  await page.keyboard.press('Enter');
  await rested(page);
  const against = page.locator('u-against');
  await expect(against).toContainText('for 20 steps');
  await against.getByRole('button', { name: 'Train both' }).click();
  await expect(against).toContainText('Trained for 20', { timeout: 60_000 });
  await expect(against).toContainText(
    /[1-9]\d* tensors that both have under one name are compared: the same, bit for bit\./,
  );
  const [yours, labs] = await against
    .locator('.final tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].slice(1, 2).map((cell) => cell.textContent)));
  expect(yours).toEqual(labs);
});

const FILE = `import os
import torch
import torch.nn as nn

text = open('input.txt').read()
n_embd = 384

class Bigram(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size)

    def forward(self, idx, targets=None):
        logits = self.head(self.table(idx))
        return logits, None

model = Bigram()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(1000):
    logits, loss = model(torch.zeros(1, 1), torch.zeros(1, 1))
    loss.backward()
    optimizer.step()
`;

/** Pastes a text in place of the program. */
async function paste(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await editor(page).evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    content.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test('of a pasted file the model stays, the rest comes back when asked, and lines join it to the lab', async ({
  page,
}) => {
  await choose(page, 'program_lm');
  await paste(page, FILE);
  const pasted = page.locator('u-pasted');
  await expect(pasted).toContainText('lines are left out');
  await pasted.locator('summary').click();
  await expect(pasted).toContainText('reads files or the network (open)');
  await expect(pasted).toContainText('makes an optimiser (torch.optim.AdamW)');
  await expect.poll(() => textOf(page)).not.toContain('open(');
  await press(page, 'Bring them back');
  await expect.poll(() => textOf(page)).toBe(FILE);
  await expect(pasted).toHaveCount(0);
  await paste(page, FILE);
  await expect(pasted.locator('pre')).toContainText('vocab_size = VOCABULARY');
  await press(page, 'Add these lines');
  await expect.poll(() => textOf(page)).toContain('return model(ids)[0]');
  await expect(mistake(page)).toHaveText('');
  await runWhole(page);
  await showStage(page, 'Numbers');
  await expect(page.locator('u-board')).toContainText('target_in');
});

test('a step in a layer of the library shows the text of that layer', async ({ page }) => {
  await choose(page, 'program');
  await type(
    page,
    'import torch.nn as nn\nlayer = nn.Linear(3, 2)\ndef f(x=ones(4, 3)):\n    y = layer(x)\n    return y\n',
  );
  await runWhole(page);
  await page.getByRole('slider', { name: 'Step' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('i');
  await page.keyboard.press('ArrowRight');
  const layer = page.getByRole('listbox', { name: 'Source of nn/linear.py' });
  await expect(layer.locator('.ln.on')).toContainText('self.weight.T');
  await press(page, 'Your program');
  await expect(editor(page).locator('.cm-on')).toContainText('layer(x)');
});

test('members of packages are completed, and a call shows its parameters', async ({ page }) => {
  await choose(page, 'program');
  await type(page, 'import torch.nn as nn\nlayer = nn.Li');
  await typeAfter(page, 2, 'n');
  const names = page.locator('u-program .cm-tooltip-autocomplete');
  await expect(names.getByRole('option').first()).toContainText('Linear');
  await page.waitForTimeout(100); // a list that has just opened takes no key yet
  await page.keyboard.press('Tab');
  await expect(page.locator('u-program .cm-signature')).toContainText('Linear(in_features, out_features');
});
