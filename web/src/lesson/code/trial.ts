// Runs a function that the reader has written on given inputs, beside the function that is right.
import { unwrap } from '../../engine/refused';
import { cellCount, type NamedTensor } from '../../engine/types';
import { shownInput, type Outcome } from './feedback';
import type { SessionLike } from '../run';
import type { Code } from '../format/tasks';

export type Session = Pick<SessionLike, 'load' | 'run' | 'trace' | 'values'>;
type Case = Code['cases'][number];

/**
 * The program, the functions that call it, and a last function with the call; its parameters are the inputs of the case. The
 * calling functions come second, so that nothing in the program can take its place.
 */
export function withCall(program: string, { given, call }: Pick<Code, 'given' | 'call'>, inputs: Case): string {
  const parameters = Object.entries(inputs).map(([name, drawn]) => `${name}=${drawn}`);
  const whole = [program, given ?? ''].map((part) => part.trimEnd()).filter(Boolean);
  return `${whole.join('\n\n')}\n\ndef on_these_inputs(${parameters.join(', ')}):\n    return ${call}\n`;
}

/** Refuses a tuple, a list and None, of which a call alone would return the first or nothing. */
const oneTensor = (call: string): string => `${call} + 0`;

/** Loads, runs on these inputs (null: those that the program draws), and returns the inputs, the output and its gradients. */
async function runOn(session: Session, program: string, fixed: NamedTensor[] | null) {
  const info = await unwrap(session.load({ kind: 'program', program }));
  const run = await unwrap(
    session.run((fixed ?? []).filter(({ name }) => info.inputs.some((each) => each.name === name))),
  );
  const trace = await unwrap(session.trace());
  const leaf = (name: string) => trace.nodes.find((node) => node.name === name && node.phase === 'leaf')!;
  const inputs: NamedTensor[] = [];
  const gradients = new Map<string, Float32Array>();
  for (const { name, shape } of info.inputs) {
    const { id, gradient } = leaf(name);
    inputs.push({ name, shape, values: await unwrap(session.values(id)) });
    if (gradient >= 0) gradients.set(name, await unwrap(session.values(gradient)));
  }
  const output = trace.nodes[run.output]!;
  return { inputs, gradients, shape: output.shape, values: await unwrap(session.values(run.output)) };
}

const WEIGHTS = 'weights_of_sum';

/** What is right: the target of a puzzle, else what the first solution makes. */
function rightOf({ target, solution, call }: Code): { program: string; call: string } {
  if (target === undefined) return { program: solution[0]!, call };
  const [, name, parameters] = [...target.matchAll(/^def (\w+)\(([^)]*)\)/gm)].at(-1) ?? [];
  return name ? { program: target, call: `${name}(${parameters})` } : { program: '', call: target.trim() };
}

export class Trial {
  private constructor(
    private readonly task: Code,
    private readonly at: Case,
    private readonly inputs: NamedTensor[],
    private readonly weights: string | null,
    readonly right: Outcome,
  ) {}

  /** Draws the inputs of a case, and finds out what is right for them. */
  static async begin(session: Session, task: Code, at: Case): Promise<Trial> {
    const { program, call } = rightOf(task);
    const { inputs, shape } = await runOn(session, withCall(program, { ...task, call }, at), null);
    const weights = task.gradients ? (cellCount(shape) > 1 ? `randn(${shape.join(', ')})` : 'ones(1)') : null;
    const unweighted = new Trial(task, at, inputs, weights, {
      shape,
      values: new Float32Array(),
      gradients: new Map(),
    });
    const drawn = weights ? await unweighted.drawWeights(session) : [];
    const trial = new Trial(task, at, [...inputs, ...drawn], weights, unweighted.right);
    const right = await trial.run(session, program, call);
    return new Trial(task, at, trial.inputs, weights, right);
  }

  private async drawWeights(session: Session): Promise<NamedTensor[]> {
    const { inputs } = await runOn(session, this.weighted(this.task.solution[0]!), this.inputs);
    return inputs.filter(({ name }) => name === WEIGHTS);
  }

  private weighted(program: string): string {
    const call = `(${this.task.call} * ${WEIGHTS}).sum()`;
    return withCall(program, { ...this.task, call }, { ...this.at, [WEIGHTS]: this.weights! });
  }

  /** The inputs of the case: each name with its shape, or with what is no tensor. */
  get described(): [name: string, what: readonly number[] | string][] {
    const shapeOf = (name: string): readonly number[] | undefined =>
      this.inputs.find((each) => each.name === name)?.shape;
    return Object.entries(this.at).map(([name, drawn]) => [name, shapeOf(name) ?? drawn]);
  }

  /** The same, but where numbers can be read they are shown; of an input with a row for each of the result, that row. */
  shown(row: number): [name: string, what: readonly number[] | string][] {
    return this.described.map(([name, what]) => {
      const tensor = this.inputs.find((each) => each.name === name);
      return tensor
        ? shownInput(tensor, row, this.task.rows === 'weights' ? undefined : this.right.shape[0])
        : [name, what];
    });
  }

  /** The same inputs for every program: what it draws itself does not matter. Throws Refused. */
  async run(session: Session, program: string, call = this.task.call): Promise<Outcome> {
    const whole = withCall(program, { ...this.task, call: oneTensor(call) }, this.at);
    const { shape, values } = await runOn(session, whole, this.inputs);
    const sameShape = String(shape) === String(this.right.shape);
    if (!this.weights || !sameShape) return { shape, values, gradients: new Map() };
    const { gradients } = await runOn(session, this.weighted(program), this.inputs);
    gradients.delete(WEIGHTS);
    return { shape, values, gradients };
  }
}
