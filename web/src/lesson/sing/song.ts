// How a language model goes on with a line: greedy decoding on the learner's own run.
import { argmax } from '../../figures/shared/summary';
import { editOf } from '../../lab/changes';
import type { Lab } from '../../lab/lab';
import { unwrap } from '../../engine/refused';
import type { TraceNode } from '../../engine/types';

/** The tensors of a song: B lines of T tokens. */
export interface Parts {
  /** Tokens read, (B, T). */
  input: TraceNode;
  /** Log-probabilities of the next token, (B, T, V). */
  logP: TraceNode;
  /** Attention weights on the positions of the line, (B, T, T); undefined for a model that does not look back. */
  weights: TraceNode | undefined;
}

export interface SungWord {
  token: number;
  p: number;
  weights: Float32Array | null;
}

/** Row `row` of a tensor whose last axis is the columns. */
export const rowOf = (values: Float32Array, { shape }: TraceNode, row: number): Float32Array =>
  values.subarray(row * shape.at(-1)!, (row + 1) * shape.at(-1)!);

/**
 * The likeliest token after each position of `line` from `from` on; each but the last is fed back at the next position.
 * The line is afterwards as it was.
 */
export async function sing(lab: Lab, parts: () => Parts, line: number, from: number): Promise<SungWord[]> {
  const { name, shape } = parts().input;
  const length = shape.at(-1)!;
  const first = line * length;
  const before = lab.state;
  const sung: SungWord[] = [];
  try {
    for (let t = from; t < length; t++) {
      sung.push(await nextWord(lab, parts(), first + t));
      if (t + 1 < length) await unwrap(lab.edit(name, first + t + 1, sung.at(-1)!.token, true));
    }
  } finally {
    for (let index = first + from + 1; index < first + length; index++) {
      const old = editOf(before, name, index);
      await (old ? lab.edit(name, index, old.value) : lab.undoEdit(name, index));
    }
  }
  return sung;
}

async function nextWord(lab: Lab, { logP, weights }: Parts, row: number): Promise<SungWord> {
  const [reply] = await lab.engine.batch('probabilities', [logP.id]);
  const p = rowOf(await unwrap(Promise.resolve(reply!)), logP, row);
  const token = argmax([...p]);
  const looked = weights && rowOf(await unwrap(lab.engine.values(weights.id)), weights, row);
  return { token, p: p[token]!, weights: looked ?? null };
}
