// The learner's own data as people bring it: pasted from a course's file, or opened as one; what is read is said.
import { addressed } from './acts';
import { expectAccessible, THEMES } from './axe';
import { expect, inAll, notice, open, press, rested, test, type Page } from './pages';
import { train } from './trainings';

const NOUNS = ['cat', 'dog', 'boy', 'girl', 'bird', 'fish', 'king', 'queen'];
const CHATS = ['chat', 'chien', 'garçon', 'fille', 'oiseau', 'poisson', 'roi', 'reine'];
/** As in the file that the courses of Keras, PyTorch and TensorFlow read. */
const TATOEBA = NOUNS.flatMap((noun, i) =>
  ['sees', 'hears', 'likes', 'knows', 'calls'].map(
    (verb, j) =>
      `The ${noun} ${verb}.\tLe ${CHATS[i]} ${['voit', 'entend', 'aime', 'sait', 'appelle'][j]}\u202f!\tCC-BY 2.0 (France) Attribution: tatoeba.org #${i}${j} (CM)`,
  ),
);

const field = (page: Page, label = 'Your pairs'): ReturnType<Page['getByLabel']> => page.getByLabel(label);
const report = (page: Page): ReturnType<Page['locator']> => page.locator('u-own-data [data-read]');

async function begin(page: Page, kind = 'seq2seq'): Promise<void> {
  await open(page, 'workbench/');
  await page.getByRole('combobox', { name: 'Model' }).selectOption(kind);
  await rested(page);
  await page.getByRole('combobox', { name: 'Task' }).selectOption('own');
}

const openFile = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page.locator('u-own-data [type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

const selected = (page: Page): Promise<string> =>
  field(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));

test('rows of Tatoeba are pasted, reported and learnt; a typed sentence is read as they were', async ({ page }) => {
  await begin(page);
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

  await page.getByRole('textbox', { name: 'Source', exact: true }).fill('The cat likes.');
  await page.keyboard.press('Enter');
  await rested(page);
  await expect(page.getByRole('textbox', { name: 'Source', exact: true })).toHaveValue('The cat likes .');
  await expect(page.locator('.pair-tokens .unk')).toHaveCount(0);

  await addressed(page);
  await page.reload();
  await expect(page.getByText(/^In use: 32 pairs for training/)).toBeVisible();
  await expect(page.getByLabel('Punctuation marks are tokens of their own')).toBeChecked();
  await expect(notice(page)).toHaveText('');
});

test('an old error goes with its text; an engine’s refusal and prose among pairs are said', async ({ page }) => {
  await begin(page);
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

test('a file is opened or dropped: UTF-16, Windows-1252, CSV with quotes; its separator can be chosen', async ({
  page,
}) => {
  await begin(page);
  const chooser = page.waitForEvent('filechooser');
  await press(page, 'Open a file');
  await (
    await chooser
  ).setFiles({
    name: 'pairs.tsv',
    mimeType: 'text/plain',
    buffer: Buffer.from('\uFEFFthe door\tдверь\r\nsnow\tснег\r\n', 'utf16le'),
  });
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
  await begin(page);
  await field(page).fill('👩‍👩‍👧‍👦👋🏽\tab\n👋🏽\tba\ne\u0301👩‍👩‍👧‍👦\tc');
  await press(page, 'Use these pairs');
  await expect(page.getByText('3 characters in the sources, 3 in the targets')).toBeVisible();
  await train(page, 20); // a model that has not learnt anything may write <pad>
  await page.getByRole('textbox', { name: 'Source', exact: true }).fill('👋🏽é👩‍👩‍👧‍👦');
  await page.keyboard.press('Enter');
  const shown = async (): Promise<string[]> =>
    (await page.locator('.pair-tokens .word-box').allTextContents()).slice(0, 3);
  await expect.poll(shown).toEqual(['👋🏽', 'é', '👩‍👩‍👧‍👦']);
  await expect(page.locator('.pair-tokens .unk')).toHaveCount(0);
});

test('an own text is cleaned, and says what was read', async ({ page }) => {
  await begin(page, 'transformer_lm');
  await openFile(page, 'a.txt', `\uFEFF${'un jour\u00a0!\r\n'.repeat(40)}`);
  await expect(report(page)).toHaveText('Read 400 characters in 40 lines, 8 of them different.');
  await expect(page.getByText('Cleaned: 40 unusual spaces made ordinary.')).toBeVisible();
  await press(page, 'Use this text');
  await expect(page.getByText(/^In use: .* 8 characters\.$/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Read as' }).selectOption('words');
  await expect(report(page)).toHaveText('Read 120 words in 40 lines, 3 of them different.');
});

test('“Forget my work” stands apart from the buttons that are pressed often', async ({ page }) => {
  await begin(page);
  await expect(page.locator('u-own-data').getByRole('button', { name: 'Forget my work' })).toHaveCount(0);
  await field(page).fill('a b\tc\nd\te');
  page.once('dialog', (dialog) => dialog.accept());
  await press(page, 'Forget my work');
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('attention');
  await begin(page);
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
        await page.getByRole('combobox', { name: 'Model' }).selectOption('seq2seq');
        await rested(page);
        await page.getByRole('combobox', { name: 'Task' }).selectOption('own');
        await field(page).fill('id;en;fr\n1;go on.;我们走\n2;hi;好\n2;hi;是\n3;;x');
        await expect(page.locator('.left-out li')).toHaveCount(2);
        await expectAccessible(page, `own data, ${scheme}, ${width} px`, { within: 'u-setup' });
        const room = await page.locator('u-own-data').evaluate((own) => own.scrollWidth - own.clientWidth);
        expect(room).toBeLessThanOrEqual(0);
      },
    );
