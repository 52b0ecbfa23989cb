// Whatever a learner wrote, set, trained or answered is there when they come back to it, with or without a network. For
// more and other acts: UNROLL_ACTS=100 UNROLL_SEED=5 ./lab test tests/web/left.spec.ts
import { WINDOW } from './playwright.config';
import { Learner } from './learner';
import { Host, HOSTS } from '../offline-host.mjs';
import { cold, wholeRun } from './pages';
import { seeded } from './states';

const acts = Number(process.env.UNROLL_ACTS ?? (wholeRun ? 100 : 12));

if (process.env.UNROLL_ACTS) cold.describe.configure({ retries: 0 });

cold(`after ${acts} random acts`, async ({ browser }) => {
  cold.setTimeout(60_000 + acts * 20_000);
  const seed = Number(process.env.UNROLL_SEED ?? 1);
  const how = HOSTS[seed % HOSTS.length]!;
  const host = await new Host(how).start();
  const context = await browser.newContext({ ...WINDOW, serviceWorkers: 'allow' });
  const learner = new Learner(context, host, seeded(seed));
  await cold.step(`seed ${seed}, ${how.what}`, async () => {
    await learner.begin();
    for (let i = 0; i < acts; i++) await learner.act();
  });
  await context.close();
  await host.stop();
});
