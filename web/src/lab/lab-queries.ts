// What elements ask of the engine, and of the latest run, without changing the state table.
import { TASK_SETTINGS } from '../engine/own-data';
import type { RemoteSession } from '../engine/remote';
import { configOf } from './changes';
import { LabEngine } from './lab-engine';
import type * as T from '../engine/types';

export abstract class LabQueries extends LabEngine {
  /** The values the learner gave last, else the model's own. */
  protected async inputOf(state: T.State, name: string): Promise<number[]> {
    const given = state.inputs.findLast((input) => input.name === name)?.values;
    if (given) return given;
    const own = await this.session.values(this.node(name)!.id);
    return own.ok ? Array.from(own.value) : [];
  }

  config(): T.Config {
    return configOf(this.page, this.state);
  }

  values(node: T.TraceNode): Float32Array | undefined {
    return this.valueCache.get(node.id);
  }

  probabilities(node: T.TraceNode): Float32Array | undefined {
    return this.probabilityCache.get(node.id);
  }

  gradient(node: T.TraceNode): Float32Array | undefined {
    return node.gradient < 0 ? undefined : this.valueCache.get(node.gradient);
  }

  async checkGradient(name: string, index: number): Promise<T.GradientCheck | null> {
    const reply = await this.queue.run('checkGradient', () => this.session.checkGradient(name, index));
    return reply.ok ? reply.value : this.refuse(reply);
  }

  pairs(split: T.Split, start: number, count: number): Promise<T.Reply<T.PairInfo[]>> {
    return this.session.pairs(split, start, count);
  }

  async recipe(task: string, model: string): Promise<T.Config> {
    const reply = await this.session.recipe(task, model);
    return reply.ok ? reply.value : (this.refuse(reply) ?? {});
  }

  estimate(config: T.Config): Promise<T.Reply<T.SizeInfo>> {
    return this.session.estimate(config);
  }

  pytorch(): Promise<T.Reply<string>> {
    return this.queue.run('export', async () => {
      const { scriptOf } = await import('./script');
      const inputs = this.info!.inputs.map(({ name }) => this.node(name)!);
      return scriptOf(this.session, inputs, this.withProgram(String(this.config().program)));
    });
  }

  /** The task is not built again: a program needs no more of it than the sizes of its vocabularies. */
  withProgram(program: string): T.Config {
    const settings = Object.entries(this.config()).filter(([name]) => !TASK_SETTINGS.includes(name) || name === 'kind');
    const [source, target] = [this.task?.sourceWords.length, this.task?.targetWords.length];
    const sizes: T.Config = source && target ? { source_vocabulary: source, target_vocabulary: target } : {};
    const vocabulary: T.Config = target ? { vocabulary: target } : {};
    return { ...Object.fromEntries(settings), ...sizes, ...vocabulary, program };
  }

  generate(source: string, options: T.Config): Promise<T.Reply<T.GenerationInfo>> {
    return this.session.generate(source, options);
  }

  async generationCost(positions: number): Promise<T.GenerationCost | null> {
    const reply = await this.session.generationCost(positions);
    return reply.ok ? reply.value : null;
  }

  fetchValues({ id }: T.TraceNode): Promise<T.Reply<Float32Array>> {
    return this.session.values(id);
  }

  probe<R>(job: (session: RemoteSession) => Promise<R>): Promise<R> {
    return this.probes.use(job);
  }
}
