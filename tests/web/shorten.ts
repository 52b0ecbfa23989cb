// A lesson whose comparisons train for fewer steps than it says.
import type { Page } from '@playwright/test';
import type { Comparison } from '../../web/src/lesson/format/comparisons';

export const shorten = (
  page: Page,
  lesson: string,
  { steps }: Comparison & { steps: number },
  fewer: number,
): Promise<unknown> =>
  page.route(`**/assets/${lesson}-*.js`, async (route) => {
    const response = await route.fetch();
    const given = new RegExp(`steps:${steps}(?=,(pairs|lengths):)`, 'g');
    await route.fulfill({ response, body: (await response.text()).replace(given, `steps:${fewer}`) });
  });
