// Every lesson, on both engines: its anchors, its figures, what it expects, its exercises.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lesson } from '../../web/plugin/lesson';
import { readLibrary } from '../../web/plugin/library';
import { regionOf } from '../../web/plugin/region';
import type { Task } from '../../web/plugin/tasks';
import { perform, toNumber, toSetting, type Changes } from '../../web/src/lesson/changes';
import { holds, namesIn, numberOf, parse } from '../../web/src/lesson/expression';
import { findNode } from '../../web/src/lesson/find-node';
import { grade, type Answer } from '../../web/src/lesson/grade';
import type { Experiment } from '../../web/src/engine/replay';
import { fromRoot } from '../bindings/modules';
import { ENGINES, type Opened } from './sessions';

const library = await readLibrary();

/** Float32 carries a little over seven digits. */
const FLOAT32 = 2 ** -22;

function experimentOf({ head, slug }: Lesson): Experiment {
  const inputs = Object.entries(head.inputs).map(([name, values]) => ({
    name,
    values: [values].flat().map(toNumber),
    at: 0,
  }));
  expect(slug).toMatch(/^\d\d-/);
  return { config: { ...head.model, seed: head.seed } as Experiment['config'], inputs, steps: 0, edits: [] };
}

it('there are lessons', () => expect(library.length).toBeGreaterThanOrEqual(2));

describe.each(library.map((lesson) => [lesson.slug, lesson] as const))('%s', (_, lesson) => {
  const { head, found } = lesson;
  const base = experimentOf(lesson);

  it('shows code that exists', () => {
    const [file, name] = head.show.split('#') as [string, string];
    const lines = readFileSync(fromRoot(file), 'utf8').split('\n');
    const region = regionOf(lines, name);
    expect(region, `${name} in ${file}`).not.toBeNull();
    expect(lines.slice(region![0], region![1] + 1).join('\n')).toContain(name);
  });

  it('has at least three exercises, of more than one kind', () => {
    const tasks = Object.values(found.tasks);
    expect(tasks.filter(({ name }) => name === 'exercise').length).toBeGreaterThanOrEqual(3);
    expect(new Set(tasks.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(2);
  });

  describe.each(ENGINES)('%s', (_, open) => {
    let session: Opened;
    beforeAll(async () => {
      session = await open();
    });
    afterAll(() => session?.close());

    it('builds its model and has every tensor that is named', async () => {
      const { trace } = await perform(session, base);
      const named = [
        ...found.anchors,
        ...[...head.board.flat(), ...Object.keys(head.labels)].map((name) => ({ name, place: { line: 1 } })),
      ];
      const lost = named
        .filter(({ name }) => !findNode(trace, name))
        .map(({ name, place }) => `${name} (line ${place.line})`);
      expect(lost).toEqual([]);
    });

    it('points at elements that exist', async () => {
      const { trace } = await perform(session, base);
      for (const { name, cell } of found.anchors) {
        const { shape } = findNode(trace, name)!;
        if (cell)
          expect(cell.length === shape.length && cell.every((at, axis) => at < shape[axis]!), `${name}[${cell}]`).toBe(
            true,
          );
      }
    });

    it('has as many labels as rows and columns', async () => {
      const { trace } = await perform(session, base);
      for (const [name, { rows, columns }] of Object.entries(head.labels)) {
        const { shape } = findNode(trace, name)!;
        if (columns) expect(columns.length, name).toBe(shape.at(-1));
        if (rows) expect(rows.length, name).toBe(shape.at(-2));
      }
    });

    it('offers settings that the model takes', async () => {
      for (const { set, values } of found.offers)
        for (const value of values) await perform(session, base, { [set]: toSetting(value) });
    });

    it.each(found.claims.map((claim) => [`${claim.text} = ${claim.of} (line ${claim.place.line})`, claim] as const))(
      '%s',
      async (_, { text, of, given, digits }) => {
        const run = await perform(session, base, given as Changes);
        const value = numberOf(of, await run.lookup(namesIn(parse(of))));
        const told = Number(text.replace('−', '-'));
        expect(Math.abs(value - told)).toBeLessThanOrEqual(
          0.5 * 10 ** -digits + FLOAT32 * Math.max(1, Math.abs(value)),
        );
      },
    );

    it('keeps what it promises', async () => {
      const { steps = 0, ...bounds } = head.expect;
      const run = await perform(session, { ...base, steps: steps as number });
      for (const [of, bound] of Object.entries(bounds)) {
        const text = `${of} ${typeof bound === 'number' ? `== ${bound}` : bound}`;
        expect(holds(text, await run.lookup(namesIn(parse(text)))), text).toBe(true);
      }
    });

    it.each(Object.keys(found.comparisons))('compares what can be compared: %s', async (id) => {
      const { of, runs } = found.comparisons[id]!;
      for (const { with: changes } of runs) {
        const run = await perform(session, base, changes as Changes);
        expect(findNode(run.trace, of)?.shape.length, of).toBe(1);
      }
    });

    describe.each(Object.entries(found.tasks))('%s', (_, task) => {
      const wrongs = mistakes(task);

      const eitherOr = task.kind !== 'choose';

      if (eitherOr)
        it('accepts every solution', async () => {
          for (const answer of solutions(task)) {
            const { right, html } = await grade(session, base, task, await settled(session, base, answer));
            expect(right, html).toBe(true);
          }
        });

      if (eitherOr)
        it('rejects every wrong answer, and says why', async () => {
          expect(wrongs.length).toBeGreaterThan(0);
          for (const { answer, why } of wrongs) {
            const { right, html } = await grade(session, base, task, await settled(session, base, answer));
            expect(right, JSON.stringify(answer)).toBe(false);
            if (why) expect(html, JSON.stringify(answer)).toBe(why);
          }
        });

      if (task.kind === 'goal')
        it('is not solved before anything is done', async () => {
          expect((await grade(session, base, task, base)).right).toBe(false);
        });

      if (task.kind === 'choose')
        it('accepts exactly one option, and explains each', async () => {
          const verdicts = [];
          for (const i of task.options.keys()) verdicts.push(await grade(session, base, task, [i]));
          expect(verdicts.filter(({ right }) => right)).toHaveLength(1);
          expect(verdicts.map(({ html }) => html)).toEqual(task.options.map(({ why }) => why));
        });
    });
  });
});

type Given = { changes: Changes } | { answer: Answer };

/** What a learner would have done by hand: changes become settings, inputs and edits of the experiment. */
async function settled(session: Opened, base: Experiment, given: Given): Promise<Answer> {
  if ('answer' in given) return given.answer;
  const work: Experiment = { config: { ...base.config }, inputs: [...base.inputs], steps: 0, edits: [] };
  const { info, trace } = await perform(session, base);
  for (const [key, value] of Object.entries(given.changes)) {
    const element = /^(.+)\[([\d,\s]+)\]$/.exec(key);
    if (element) work.edits.push(editOf(trace, element[1]!, element[2]!, toNumber(value)));
    else if (Array.isArray(value) && info.inputs.some(({ name }) => name === key))
      work.inputs.push({ name: key, values: value.map(toNumber), at: 0 });
    else work.config[key] = Array.isArray(value) ? value.map(toNumber) : value;
  }
  return work;
}

function editOf(
  trace: Awaited<ReturnType<typeof perform>>['trace'],
  name: string,
  at: string,
  value: number,
): Experiment['edits'][number] {
  const node = findNode(trace, name)!;
  const index = at
    .split(',')
    .reduce((flat, position, axis) => flat * (axis ? node.shape[axis]! : 1) + Number(position), 0);
  return { name: node.name, index, value };
}

function solutions(task: Task): Given[] {
  if (task.kind === 'goal') return task.solution.map((changes) => ({ changes: changes as Changes }));
  if (task.kind === 'number') return task.solution.map((value) => ({ answer: String(value) }));
  if (task.kind === 'write') return task.solution.map((answer) => ({ answer }));
  if (task.kind === 'order') return [{ answer: task.steps.map((_, i) => i) }];
  return [];
}

/** Each with the explanation it must get; one that only differs from the right one is given none. */
function mistakes(task: Task): { answer: Given; why?: string }[] {
  if (task.kind === 'goal')
    return task.wrong.map(({ try: changes, why }) => ({
      answer: { changes: changes as Changes },
      why: allowed(task.change, changes as Changes) ? why : undefined,
    }));
  if (task.kind === 'number')
    return task.wrong.map(({ try: value, why }) => ({ answer: { answer: String(value) }, why }));
  if (task.kind === 'write') return task.wrong.map(({ try: answer, why }) => ({ answer: { answer }, why }));
  if (task.kind === 'order')
    return task.steps.slice(1).map((_, i) => ({ answer: { answer: swapped(task.steps.length, i) } }));
  return [];
}

/** What may not be changed at all is refused before its own explanation is looked for. */
const allowed = (change: readonly string[], changes: Changes): boolean =>
  Object.keys(changes).every((key) => change.includes(key.replace(/\[.*/, '')));

function swapped(count: number, at: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  [order[at], order[at + 1]] = [order[at + 1]!, order[at]!];
  return order;
}
