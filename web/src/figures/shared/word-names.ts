// Names what a decoder reads and writes, its looks and its logits, by their words, and the weights of a cell with one unit
// by its gates, where the lesson has no names.
import { BOS, EOS, marked, readsTexts, sourceColumns, targetWords } from '../../ui/words';
import { byWords, type Names } from './summary';
import type { Config, TraceNode } from '../../engine/types';

/** The looks of a recurrent decoder, of all positions (T, S) or of one (1, S). */
const LOOK = /^(decoder\.t\d+\.)?attention\/[αe]$/;
/** The logits of all positions (T, V) or of one (1, V). */
const LOGITS = /^(decoder\.t\d+\/)?logits$/;

/** The weights and biases of a cell of any layer. */
const CELL = /^cell\.\d+\.[WUbc]$/;
/** Their blocks of rows, in the order of engine/nn/recurrent/cell.h. */
const GATES: Readonly<Record<string, string>> = { gru: 'rzn', gru_reset_before: 'rzn', lstm: 'ifgo' };

/** With one unit each block is one row; a bias is shown as a row itself. */
function gateNames({ cell, hidden }: Config, { shape }: TraceNode): Names {
  const gates = hidden === 1 ? [...(GATES[String(cell)] ?? '')] : [];
  if (!gates.length || shape[0] !== gates.length) return {};
  return shape.length === 1 ? { columns: gates } : { rows: gates };
}

byWords.names = (lab, node) => {
  const { name, shape } = node;
  if (lab.config().kind === 'recurrent' && CELL.test(name)) return gateNames(lab.config(), node);
  if (lab.config().kind !== 'seq2seq' || readsTexts(lab)) return {};
  const [rows = 1, columns = 1] = shape.slice(-2);
  const fits = (words: readonly string[], size: number): readonly string[] | undefined =>
    words.length === size ? words : undefined;
  const words = targetWords(lab).words;
  if (name === 'target_in') return { columns: fits([BOS, ...words], columns) };
  if (name === 'target_out') return { columns: fits([...words, EOS], columns) };
  const written = fits([...words, EOS], rows);
  if (LOOK.test(name)) return { rows: written, columns: fits(sourceColumns(lab, columns), columns) };
  if (LOGITS.test(name)) return { rows: written, columns: fits((lab.task?.targetWords ?? []).map(marked), columns) };
  return {};
};
