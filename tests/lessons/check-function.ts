// Checks a function that readers write: its solutions, its wrong programs with their reasons, its start and its hints.
import { expect, it } from 'vitest';
import { gradeCode } from '../../web/src/lesson/code/grade-code';
import type { Code } from '../../web/src/lesson/format/tasks';
import { UnreadableAnswer, type Verdict } from '../../web/src/lesson/task/answer';
import { codeIn, textIn } from './hints';
import { htmlOf } from './html-of';
import type { Opened } from './sessions';

/** What does not run is no answer. */
async function graded(session: Opened, task: Code, text: string): Promise<Verdict> {
  try {
    return await gradeCode(session, task, text);
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return { right: false, message: error.message };
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const summary = ({ message }: Verdict): string => textIn(htmlOf(message));

export function checkFunction(session: () => Opened, task: Code): void {
  it.each(task.solution.map((text, i) => [i + 1, text] as const))('accepts solution %i', async (_, text) => {
    const verdict = await graded(session(), task, text);
    expect(verdict.right, summary(verdict)).toBe(true);
  });

  it.each(task.wrong.map((each, i) => [i + 1, each] as const))('refuses wrong program %i', async (_, wrong) => {
    const verdict = await graded(session(), task, wrong.try);
    expect(verdict.right).toBe(false);
    const message = htmlOf(verdict.message);
    if (task.target === undefined) expect(message).toBe(wrong.why);
    else expect(message).toMatch(new RegExp(`^[^<].* is .*\\. ${escaped(wrong.why)}$`)); // after what the attention did
  });

  it('is not solved at the start, which runs', async () => {
    const verdict = await gradeCode(session(), task, task.start);
    expect(verdict.right).toBe(false);
  });

  it('does not give a solution away in its hints', () => {
    const squeezed = (text: string): string => text.replace(/\s/g, '');
    const lines = task.solution.flatMap((text) => text.split('\n').slice(1).map(squeezed));
    for (const hint of task.hints)
      for (const code of codeIn(hint)) expect(lines.filter((line) => line === squeezed(code))).toEqual([]);
  });

  it('has solutions that differ', () => {
    expect(new Set(task.solution).size).toBe(task.solution.length);
  });
}
