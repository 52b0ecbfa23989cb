// The learner's own data as people bring it: pasted from a course's file, or opened as one; what is read is said,
// learnt and kept.
import { addressed, reload } from './acts';
import { expectAccessible, THEMES } from './axe';
import { expect, forget, inAll, notice, open, openReads, type Page, press, rested, showStage, test } from './pages';
import { spoil } from './storage';
import { countSteps, figure, panel, resumed, train } from './trainings';
import { learner } from './views-engine';
import { chooseOwnData, copiedLink, enter, openOwnData, paste } from './hands';
import { countsOf } from '../../web/src/ui/words';
import { figures } from '../../web/src/bench/training/figures';
import { untrained } from '../../web/src/lab/training';
import { value as granted } from '../bindings/modules';

const NOUNS = ['cat', 'dog', 'boy', 'girl', 'bird', 'fish', 'king', 'queen'];
const CHATS = ['chat', 'chien', 'garçon', 'fille', 'oiseau', 'poisson', 'roi', 'reine'];
/** As in the file that the courses of Keras, PyTorch and TensorFlow read. */
const TATOEBA = NOUNS.flatMap((noun, i) =>
  ['sees', 'hears', 'likes', 'knows', 'calls'].map(
    (verb, j) =>
      `The ${noun} ${verb}.\tLe ${CHATS[i]} ${['voit', 'entend', 'aime', 'sait', 'appelle'][j]}\u202f!\tCC-BY 2.0 (France) Attribution: tatoeba.org #${i}${j} (CM)`,
  ),
);

const field = (page: Page) => page.getByLabel('Your pairs');
const report = (page: Page) => page.locator('u-own-data [data-read]');

const source = (page: Page) => page.getByRole('textbox', { name: 'Source', exact: true });

const openFile = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page.locator('u-own-data [type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

const selected = (page: Page): Promise<string> =>
  field(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));

test('rows of Tatoeba are pasted, reported and learnt; a typed sentence is read as they were', async ({ page }) => {
  await openOwnData(page);
  await page.evaluate((text) => navigator.clipboard.writeText(text), [...TATOEBA, 'no partner'].join('\n'));
  await field(page).focus();
  await page.keyboard.press('ControlOrMeta+v');
  await expect(report(page)).toHaveText(
    'Read 40 pairs: column 1 and column 2 of 3, separated by tabs; 1 line is left out.',
  );
  await expect(page.getByText('As words: 3 in a source on average, at most 3')).toBeVisible();
  await expect(page.locator('.left-out li')).toHaveText(/Line 41\s+one column only/);
  await press(page, 'Line 41');
  expect(await selected(page)).toBe('no partner');
  await page.getByLabel('Punctuation marks are tokens of their own').check();
  await expect(page.getByText('As words: 4 in a source on average, at most 4')).toBeVisible();
  await press(page, 'Use these pairs');
  await expect(
    page.getByText(/^In use: 32 pairs for training, 4 for validation, 4 for testing; 15 words/),
  ).toBeVisible();

  await openReads(page);
  await enter(source(page), 'The cat likes.');
  await rested(page);
  await expect(source(page)).toHaveValue('The cat likes .');
  await expect(page.locator('.pair-tokens .unk')).toHaveCount(0);

  await reload(page);
  await expect(page.getByText(/^In use: 32 pairs for training/)).toBeVisible();
  await expect(page.getByLabel('Punctuation marks are tokens of their own')).toBeChecked();
  await expect(notice(page)).toHaveText('');
});

test('an old error goes with its text; an engine’s refusal and prose among pairs are said', async ({ page }) => {
  await openOwnData(page);
  const refused = page.locator('u-own-data .refused');
  await field(page).fill('a b\tc');
  await press(page, 'Use these pairs');
  await expect(refused).toHaveText('There is one pair only: give at least two lines of source, tab, target.');
  await field(page).fill('Once upon a time there was a miller.\nHe had a mill by the river.');
  await expect(refused).toHaveText('');
  await expect(report(page)).toHaveText(/^No line has a tab.* choose “Transformer language model”/);
  await press(page, 'Use these pairs');
  await expect(refused).toHaveText(/^No line has a tab/);
  await expect(report(page)).toHaveCount(0); // it would say the same again
  await field(page).fill('a b\tc\nd\te');
  await expect(refused).toHaveText('');
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: 2 pairs/)).toBeVisible();
});

test('a file is opened or dropped: UTF-16, Windows-1252, CSV with quotes; a separator is chosen', async ({ page }) => {
  await openOwnData(page);
  const chooser = page.waitForEvent('filechooser');
  await press(page, 'Open a file');
  const buffer = Buffer.from('\uFEFFthe door\tдверь\r\nsnow\tснег\r\n', 'utf16le');
  await (await chooser).setFiles({ name: 'pairs.tsv', mimeType: 'text/plain', buffer });
  await expect(page.getByText('Opened pairs.tsv.')).toBeVisible();
  await expect(report(page)).toHaveText('Read 2 pairs: column 1 and column 2 of 2, separated by tabs.');
  await expect(field(page)).toHaveValue('the door\tдверь\nsnow\tснег\n');

  await openFile(page, 'a.csv', 'id,english,french\n1,"Come in, please",Entrez\n2,No,Non\n3,Yes,Oui\n');
  await expect(report(page)).toHaveText(
    'Read 3 pairs: column 2 (english) and column 3 (french) of 3, separated by commas; the first line names the columns.',
  );
  await page.getByRole('combobox', { name: 'Source', exact: true }).selectOption('column 3 (french)');
  await page.getByRole('combobox', { name: 'Target', exact: true }).selectOption('column 2 (english)');
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: 3 pairs/)).toBeVisible();
  await openReads(page);
  await expect(page.locator('.pair-tokens')).toContainText(/Oui|Non|Entrez/);

  await openFile(page, 'latin.txt', Buffer.from('a;\xe9t\xe9,x\nb c;No\xebl,y\n', 'latin1'));
  await expect(page.getByText(/^Opened latin\.txt\. The file is not UTF-8/)).toBeVisible();
  await page.getByRole('group', { name: 'Separated by' }).getByRole('button', { name: 'semicolons' }).click();
  await expect(report(page)).toHaveText('Read 2 pairs: column 1 and column 2 of 2, separated by semicolons.');

  const dropped = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['ab\tba\ncd\tdc\n'], 'dropped.tsv'));
    return data;
  });
  await field(page).dispatchEvent('drop', { dataTransfer: dropped });
  await expect(page.getByText('Opened dropped.tsv.')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Read as' })).toHaveValue('characters');
});

test('an emoji is one token, in the pairs and where a source is typed', async ({ page }) => {
  await openOwnData(page);
  await field(page).fill('👩‍👩‍👧‍👦👋🏽\tab\n👋🏽\tba\ne\u0301👩‍👩‍👧‍👦\tc');
  await press(page, 'Use these pairs');
  await expect(page.getByText('3 characters in the sources, 3 in the targets')).toBeVisible();
  await train(page, 20); // a model that has not learnt anything may write <pad>
  await openReads(page);
  await enter(source(page), '👋🏽é👩‍👩‍👧‍👦');
  const shown = async (): Promise<string[]> =>
    (await page.locator('.pair-tokens .word-box').allTextContents()).slice(0, 3);
  await expect.poll(shown).toEqual(['👋🏽', 'é', '👩‍👩‍👧‍👦']);
  await expect(page.locator('.pair-tokens .unk')).toHaveCount(0);
});

test('an own text is cleaned, and says what was read', async ({ page }) => {
  await openOwnData(page, 'transformer_lm');
  await openFile(page, 'a.txt', `\uFEFF${'un jour\u00a0!\r\n'.repeat(40)}`);
  await expect(report(page)).toHaveText('Read 400 characters in 40 lines, 8 of them different.');
  await expect(page.getByText('Cleaned: 40 unusual spaces made ordinary.')).toBeVisible();
  await press(page, 'Use this text');
  await expect(page.getByText(/^In use: .* 8 characters\.$/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Read as' }).selectOption('words');
  await expect(report(page)).toHaveText('Read 120 words in 40 lines, 3 of them different.');
});

test('“Forget my work” stands apart from the buttons that are pressed often', async ({ page }) => {
  await openOwnData(page);
  await expect(page.locator('u-own-data').getByRole('button', { name: 'Forget my work' })).toHaveCount(0);
  await field(page).fill('a b\tc\nd\te');
  page.once('dialog', (dialog) => dialog.accept());
  await press(page, 'Forget my work');
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('attention');
  await openOwnData(page);
  await expect(field(page)).toHaveValue('');
});

for (const scheme of THEMES)
  for (const width of [1280, 360])
    (scheme === 'dark' && width === 360 ? test : inAll)(
      `the report has no axe violations and fits at ${width} px, ${scheme}`,
      async ({ page }) => {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await open(page, 'workbench/');
        if (width < 768) await page.getByRole('tab').first().click();
        await chooseOwnData(page);
        await field(page).fill('id;en;fr\n1;go on.;我们走\n2;hi;好\n2;hi;是\n3;;x');
        await expect(page.locator('.left-out li')).toHaveCount(2);
        await expectAccessible(page, `own data, ${scheme}, ${width} px`, { within: 'u-setup' });
        const room = await page.locator('u-own-data').evaluate((own) => own.scrollWidth - own.clientWidth);
        expect(room).toBeLessThanOrEqual(0);
      },
    );

const PAIRS = Array.from({ length: 40 }, (_, i) => `${i}\t${String(i).split('').reverse().join('')}`).join('\n');

test('own pairs and their weights come back after a reload; a link says it does not hold them', async ({ page }) => {
  const asked = await countSteps(page);
  await openOwnData(page);
  await page.getByLabel('Your pairs').fill(PAIRS);
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: /)).toBeVisible();
  await train(page, 20);
  const [loss, hidden] = [await figure(page, 'loss'), page.locator('u-setup [name="hidden"]')];
  const width = await hidden.inputValue();
  await addressed(page);
  const expectWeights = async (): Promise<void> => {
    await resumed(page, 20);
    expect(await asked()).toBe(0);
    expect(await figure(page, 'loss')).toBe(loss);
  };
  await page.reload();
  await expectWeights();
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('seq2seq');
  await expect(hidden).toHaveValue(width);
  await expect(page.getByText(/^In use: /)).toBeVisible();

  await spoil(page, 'checkpoints', 'note => ({ ...note, engine: "before" })');
  await page.reload();
  await expect(notice(page)).toContainText('These weights were made by an earlier version of the engine');
  await expectWeights();

  const link = await copiedLink(page);
  await expect(notice(page)).toContainText('this link opens the page without your data or your model');
  await page.goto('about:blank');
  await forget(page, link);
  await open(page, link);
  await expect(notice(page)).toContainText('The link needs pairs or text that only the browser it was made in has');
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('attention');
});

const TEXT = 'the tide comes in and the tide goes out, and the boat in the harbour waits for the wind. '.repeat(12);
const STEPS = 8;
const WATCHED = 3;

test('from the lesson on language models, an own text is learnt, with the engine’s figures', async ({ page }) => {
  await open(page, 'lessons/language-model/');
  await page.locator('h2[id="a-text-of-your-own"] + p').getByRole('link', { name: 'workbench' }).click();
  await page.getByRole('combobox', { name: 'Model' }).selectOption({ label: 'Transformer language model' });
  await page.getByRole('combobox', { name: 'Task' }).selectOption({ label: 'own text' });
  await page.getByLabel('Your text').fill(TEXT);
  await press(page, 'Use this text');
  const seed = Number(await page.getByRole('textbox', { name: 'Seed' }).inputValue());
  const session = await learner('transformer_lm', { text: TEXT }, seed);
  const task = granted(session.task());
  await expect(page.getByText(`In use: ${countsOf(task)}`)).toBeVisible();

  const training = panel(page);
  await showStage(page, 'Training');
  await training.getByRole('textbox', { name: 'Steps to train' }).fill(String(STEPS));
  await press(page, 'Train');
  await expect(training.getByRole('status').first()).toContainText(`Trained at step ${STEPS}`);
  await rested(page);
  const trained = granted(session.train(STEPS));
  const [, loss] = figures({ ...untrained(), ...trained });
  await expect.poll(() => figure(page, 'loss')).toBe(loss![1]);
  const unseen = granted(session.pairs('validation', 1, WATCHED));
  const written = unseen.map(({ source }) => granted(session.generate(source.join(task.separator), {})));
  const wrote = await training.locator('.samples .wrote').allTextContents();
  expect(wrote.slice(-WATCHED).map((text) => text.replace(/ …$/, ''))).toEqual(
    written.map(({ tokens }) => tokens.join(task.separator)),
  );
  await reload(page);
  await expect(page.getByText(`In use: ${countsOf(task)}`)).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Read as' })).toHaveValue('characters');
  await expect.poll(() => figure(page, 'loss')).toBe(loss![1]);
});

/** Megabytes of text are read beside the page, and what is read of an older text is dropped. */
const line = (i: number): string =>
  `The cat number ${i} sees the dog.\tLe chat ${i} voit le chien !\tCC-BY 2.0 tatoeba.org #${i}\n`;
const lines = (characters: number): string => {
  const all: string[] = [];
  for (let [i, length] = [0, 0]; length < characters; i++) length += all[all.push(line(i)) - 1]!.length;
  return all.join('');
};

test('5 MB are read in a worker, and what is typed meanwhile is read instead', async ({ page }) => {
  test.slow();
  await openOwnData(page);
  const workers = page.workers().length;
  await paste(field(page), lines(5e6));
  await expect(report(page)).toHaveText(/^Read [\d,]+ pairs: column 1 and column 2 of 3/, { timeout: 30_000 });
  expect(page.workers().length).toBe(workers + 1);
  await paste(field(page), lines(4e6));
  await page.waitForTimeout(310); // its reading has begun
  await paste(field(page), 'a b\tc\nd\te');
  await expect(report(page)).toHaveText('Read 2 pairs: column 1 and column 2 of 2, separated by tabs.');
  await page.waitForTimeout(1500); // the answer to the older text would be there
  await expect(report(page)).toHaveText('Read 2 pairs: column 1 and column 2 of 2, separated by tabs.');
});

test('pairs that are not read yet are used once they are', async ({ page }) => {
  await openOwnData(page);
  await paste(field(page), lines(30_000));
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: [\d,]+ pairs for training/)).toBeVisible({ timeout: 30_000 });
});

test('a reading that takes long says so, and typing goes on', async ({ page }) => {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...call: Parameters<typeof post>): void {
      const isText = typeof (call[0] as { text?: unknown }).text === 'string';
      if (isText) setTimeout(() => post.apply(this, call), 2500);
      else post.apply(this, call);
    } as typeof post;
  });
  await openOwnData(page);
  await paste(field(page), lines(30_000));
  const reading = page.getByText('Reading your text…');
  await expect(reading).toBeVisible();
  await field(page).focus();
  await page.keyboard.type('x');
  await expect(field(page)).toHaveValue(/x$|^x/);
  await expect(report(page)).toHaveText(/^Read [\d,]+ pairs/, { timeout: 20_000 });
  await expect(reading).toHaveCount(0);
});

test('where no worker starts, the page reads it itself', async ({ page }) => {
  await openOwnData(page);
  await page.evaluate(() => Object.assign(globalThis, { Worker: undefined }));
  await paste(field(page), lines(30_000));
  await expect(report(page)).toHaveText(/^Read [\d,]+ pairs/);
});

test('a long draft is there after a reload right after it was typed', async ({ page }) => {
  await openOwnData(page);
  await paste(field(page), lines(30_000));
  await page.reload();
  await rested(page);
  await chooseOwnData(page);
  await expect(field(page)).toHaveValue(/^The cat number 0 sees/);
});
