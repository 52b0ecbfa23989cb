import { it } from 'vitest';
import { writeFileSync } from 'node:fs';
import { allLessons } from '../lessons/read';
import { openWasm } from '../lessons/sessions';
import { workOf } from '../lessons/lesson-work';
import { replay } from '../../web/src/engine/replay';
it('dump', async () => {
  const out: any = {};
  for (const lesson of await allLessons()) {
    const s = await openWasm();
    const work = workOf(lesson, () => new Uint8Array());
    const { value: r }: any = await replay(s as any, { ...work, steps: 0 }, {} as any);
    out[lesson.slug] = { trace: r.trace, pair: r.pair, task: r.task && { form: r.task.form, separator: r.task.separator }, config: work.config, board: lesson.head.board };
    s.close();
  }
  writeFileSync('/tmp/dump.json', JSON.stringify(out));
}, 600000);
