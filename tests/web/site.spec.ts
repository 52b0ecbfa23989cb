// The pages as built, before any script has run: what a host serves and a reader without scripts sees.
import { existsSync, readFileSync } from 'node:fs';
import { NOTICES } from '../../web/plugin/notices';
import { repository } from '../../web/plugin/about-page';
import { isLink } from '../../web/src/lab/link/fragment';
import { newName, newSection, OLD_NAMES } from '../../web/src/lab/old-names';
import { linkTo } from './links';
import { FRONT, LESSONS, PAGES, site, SUB_PATH, TEXTS } from './addresses';
import { benchOf, expect, test, type Page, type WithLab } from './pages';

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types lit-html unroll default";
const MOVED = OLD_NAMES.map((name) => `lessons/${name}/`);
/** Text that occurs only in answers. */
const ANSWERS = ['kind: ', '"wrong"', '"solution"', 'data-when'];

interface Built {
  /** The text, including attributes, with entities decoded. */
  text: string;
  policy: string | null;
  /** Inline scripts, handlers and styles, which the policy forbids. */
  inline: number;
  /** Addresses outside the page's own path. */
  rooted: string[];
  links: string[];
  /** The last of the links below a lesson. */
  next: string | null;
  ids: string[];
  counts: Record<string, number>;
}

/** Parses the page with the browser's own parser. */
const read = (page: Page, text: string, url: string): Promise<Built> =>
  page.evaluate(
    ({ text, url }) => {
      const found = new DOMParser().parseFromString(text, 'text/html');
      const all = (selector: string): Element[] => [...found.querySelectorAll(selector)];
      // what to read stands at the end of a lesson, and only there
      for (const out of all('.ending a[href^="https://"]')) out.remove();
      const addresses = all('[src], [href]').map((each) => each.getAttribute('src') ?? each.getAttribute('href')!);
      const links = all('main a, nav a').map((a) => a.getAttribute('href')!);
      const counted = ['h1', 'h2', 'math', 'data', 'u-task', '.listing'];
      return {
        text: [text, ...all('*').flatMap(({ attributes }) => [...attributes].map(({ value }) => value))].join('\n'),
        next: all('nav.next a').at(-1)?.getAttribute('href') ?? null,
        policy: found.querySelector('meta[http-equiv="Content-Security-Policy"]')?.getAttribute('content') ?? null,
        inline: all('script:not([src]), [onclick], style').length,
        rooted: addresses.filter((address) => /^(\/|\w+:)/.test(address)),
        links: links.map((link) => new URL(link, url).href),
        ids: all('[id]').map(({ id }) => id),
        counts: Object.fromEntries(counted.map((selector) => [selector, all(selector).length])),
      };
    },
    { text, url },
  );

test('every page obeys its policy, gives no answer away, and has no dead link', async ({ page }) => {
  const built = new Map<string, Built>();
  for (const path of [FRONT, PAGES[0]!, ...LESSONS, ...TEXTS, ...MOVED]) {
    const url = `http://host/${path}`;
    built.set(url, await read(page, readFileSync(`${site}/${path}index.html`, 'utf8'), url));
  }
  for (const [url, { text, policy, inline, rooted, links, next, counts }] of built) {
    expect.soft(policy, url).toBe(POLICY);
    expect.soft(inline, `inline in ${url}`).toBe(0);
    const inSite = (address: string): boolean => address !== repository;
    expect.soft(rooted.filter(inSite), `not relative in ${url}`).toEqual([]);
    const given = ANSWERS.filter((word) => text.includes(word));
    expect.soft(given, `answers in ${url}`).toEqual([]);
    const broken = links.filter(inSite).filter((link) => {
      const { href, hash, origin, pathname } = new URL(link);
      const target = built.get(origin + pathname);
      if (href.endsWith(`/${NOTICES}`)) return !existsSync(`${site}/${NOTICES}`);
      return !target || (hash && !isLink(hash) && !target.ids.includes(decodeURIComponent(hash.slice(1))));
    });
    expect.soft(broken, `broken in ${url}`).toEqual([]);
    if (!LESSONS.some((path) => url.endsWith(`/${path}`))) continue;
    const following = [...built.keys()].at([...built.keys()].indexOf(url) + 1);
    expect.soft(new URL(next!, url).href, `after ${url}`).toBe(following);
    expect.soft(links.length, `links of ${url}`).toBeGreaterThan(0);
    const onBench = { data: 3, 'u-task': 3, '.listing': 1 };
    const leasts = { h1: 1, h2: 3, 'u-task': 1, ...(PAGES.some((path) => url.endsWith(`/${path}`)) && onBench) };
    for (const [what, least] of Object.entries(leasts))
      expect.soft(counts[what], `${what} in ${url}`).toBeGreaterThanOrEqual(least);
  }
  const formulas = [...built.values()].reduce((sum, { counts }) => sum + counts.math!, 0);
  expect(formulas).toBeGreaterThan(LESSONS.length);
});

// Old lesson addresses, with a number in them, lead to the lesson at the same section or state.

test('under a sub-path an old address leads to the section, whatever its query', async ({ page }) => {
  await page.goto(SUB_PATH);
  await page.goto(`${SUB_PATH}lessons/15-four-words/?from=mail#masks`);
  await expect(page).toHaveURL(/\/some\/where\/lessons\/four-words\/\?from=mail#masks$/);
  await expect(page.locator('#masks')).toBeInViewport();
  await page.goBack();
  await expect(page).toHaveURL(/\/some\/where\/$/); // the old page has left no entry
});

test('an address of a section that has moved leads to it, in the lesson where it is now', async ({ page }) => {
  await page.goto('lessons/02-recurrent-cell/#count');
  await expect(page).toHaveURL(/\/lessons\/gates\/#count$/);
  await expect(page.locator('#count')).toBeInViewport();
});

test('an old link to a state opens it in the right lesson', async ({ page }) => {
  await page.goto(`lessons/12-language-model/${linkTo({ lesson: '12-language-model', seed: 5 })}`);
  await expect(page).toHaveURL(/\/lessons\/recurrent-language-model\/#v1\./);
  await expect(page.locator('u-transport')).toContainText(/\d+ of \d+/);
  await expect(page.locator('u-problem')).toHaveText('');
  const state = await benchOf(page).evaluate(({ lab }: WithLab) => lab.state);
  expect(state).toMatchObject({ lesson: 'recurrent-language-model', seed: 5 });
});

test('without scripts, every old page has one link, to its lesson, and is not found by search engines', () => {
  for (const old of OLD_NAMES) {
    const [page, lesson] = [readFileSync(`${site}/lessons/${old}/index.html`, 'utf8'), newName(old)];
    expect(PAGES).toContain(`lessons/${lesson}/`);
    expect(page).toContain('<meta name="robots" content="noindex"');
    const to = `../${lesson}/${newSection(old) && `#${newSection(old)}`}`;
    expect(page).toContain(`<link rel="canonical" href="${to}"`);
    expect(Array.from(page.matchAll(/<a [^>]*href="([^"]*)"/g), ([, href]) => href)).toEqual([to]);
  }
});
