// Runs what a claim names, for each of its seeds, and finds what does not hold.
import { hasTask } from '../src/engine/own-data';
import type { Config } from '../src/engine/types';
import type { Changes } from '../src/lesson/changes';
import { holds, numberOf, type Names } from '../src/lesson/expression';
import { perform, type SessionLike, type Work } from '../src/lesson/run';
import { withVariables, type Claim } from './claims';

export interface Outcome {
  seed: number;
  /** By run and measure: "long.exact". */
  measures: Map<string, number>;
  /** The conditions that do not hold. */
  broken: string[];
}

/**
 * A run has the lesson's settings and is trained as long as the lesson's model, except for its changes.
 * @param work The lesson's own experiment.
 */
export async function tryClaim(session: SessionLike, work: Work, claim: Claim, seed: number): Promise<Outcome> {
  const measures = new Map<string, number>();
  for (const [run, changes] of Object.entries(claim.runs)) {
    const done = await perform(session, scheduled(work, changes), { steps: work.steps, ...changes, seed });
    for (const [name, expression] of Object.entries(claim.measure))
      measures.set(`${run}.${name}`, await numberOf(session, expression, done));
  }
  const broken: string[] = [];
  for (const condition of claim.holds)
    if (!(await holds(session, withVariables(condition), asNames(measures)))) broken.push(condition);
  return { seed, measures, broken };
}

/** With steps of its own, a run's learning rate falls over these; an untrained one keeps its schedule. */
const scheduled = (work: Work, changes: Changes): Work =>
  Number(changes.steps) > 0 && hasTask({ ...work.config, ...changes } as Config)
    ? { ...work, config: { ...work.config, steps: Number(changes.steps) } }
    : work;

function asNames(measures: ReadonlyMap<string, number>): Names {
  const byVariable = new Map([...measures].map(([name, value]) => [withVariables(name), value]));
  return {
    lookup: async () => (name) => {
      const value = byVariable.get(name);
      return value === undefined ? undefined : { shape: [], values: [value] };
    },
  };
}
