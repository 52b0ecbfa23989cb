// Every line of every function that readers write lights the tensors it made, and every tensor has its line.
import { describe, expect, it } from 'vitest';
import { tensorsOfLine } from '../../web/src/bench/code/lines';
import { lineKey } from '../../web/src/lab/hover';
import { withCall } from '../../web/src/lesson/code/trial';
import { traceOf } from '../../web/src/engine/trace';
import { engine, value } from '../bindings/modules';
import { allLessons } from '../lessons/read';

const { Session } = await engine();
const asked = new Session();

const solutions = (await allLessons()).flatMap(({ slug, found }) =>
  Object.entries(found.tasks).flatMap(([id, task]) =>
    task.kind === 'code'
      ? task.function!.solution.map((text, i) => {
          return [`${slug}/${id} ${i + 1}`, withCall(text, task.function!, task.function!.cases[0]!)] as const;
        })
      : [],
  ),
);

describe.each(solutions)('%s', (_, program) => {
  it('lights what its lines made', () => {
    const session = new Session();
    value(session.load({ kind: 'program', program }));
    value(session.run([]));
    const trace = traceOf(value(session.trace()));
    session.delete();
    const text = program.split('\n');
    // the line of the last function has the loss, which is no line's
    const made = value(asked.outline({ kind: 'program', program })).lines.filter(
      ({ line }) => !text[line - 1]!.startsWith('def'),
    );
    expect(made.length).toBeGreaterThan(1);
    for (const { line, shape } of made) {
      const tensors = tensorsOfLine(trace, lineKey('program', line)).filter(({ phase }) => phase === 'forward');
      expect(tensors.at(-1)?.shape, `line ${line}`).toEqual(shape);
    }
    for (const { file, line } of trace.nodes.filter((node) => node.file === 'program')) {
      expect(line).toBeGreaterThan(0);
      expect(line, file).toBeLessThanOrEqual(text.length);
    }
  });
});
