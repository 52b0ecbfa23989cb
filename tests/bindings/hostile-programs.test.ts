// Hostile programs end within seconds, natively and in WebAssembly in the same place with the same sentence. A quick run
// takes some of those that run into a limit, and repeats in WebAssembly one of eight of them and of those that run to
// their end.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { hostilePrograms } from './hostile-programs';
import { engine, fromRoot, scratch, wholeRun } from './modules';
import { said } from './said';

const LONGEST = 5000; // milliseconds of processor time
/** How programs end that run until a limit: a quick run takes one of each kind and end. */
const TAKES_LONG = /has not ended|of this run|this run would/;

const { Session } = await engine();

function natively(program: string): string {
  const file = scratch('program.py', program);
  const words = ['-c', `ulimit -t ${LONGEST / 1000}; exec "$0" "$1"`, fromRoot('build/native/tests/unroll_run'), file];
  const { status, stderr } = spawnSync('sh', words, { encoding: 'utf8', maxBuffer: 1 << 28 });
  expect([0, 1]).toContain(status); // a crash has none
  return status === 0 ? '' : stderr.slice(file.length + 2).trimEnd();
}

function inWebAssembly(program: string): string {
  const session = new Session();
  try {
    const loaded = session.load({ kind: 'program', program });
    if (!loaded.ok) return said(loaded);
    const ran = session.run([]);
    return ran.ok ? '' : said(ran);
  } finally {
    session.delete();
  }
}

function inTime<T>(work: () => T): T {
  const begun = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(begun);
  expect((user + system) / 1000).toBeLessThan(LONGEST);
  return result;
}

for (const [kind, programs] of Object.entries(hostilePrograms))
  describe(kind, () => {
    const seen = new Map<string, number>();
    for (const [i, [program, end]] of programs.entries()) {
      const before = seen.get(end) ?? 0;
      seen.set(end, before + 1);
      const takesLong = TAKES_LONG.test(end);
      it.runIf(wholeRun || !takesLong || before === 0)(
        program.slice(0, 120).replaceAll('\n', ' '),
        { timeout: 30_000 },
        () => {
          const sentence = natively(program);
          if (end) expect(sentence).toContain(end);
          else expect(sentence).toBe('');
          if (sentence) expect(sentence).toMatch(/^line \d+, column \d+: .*[.?]$/su);
          const isQuick = !takesLong && end;
          if (wholeRun || isQuick || i % 8 === 0) expect(inTime(() => inWebAssembly(program))).toBe(sentence);
        },
      );
    }
  });
