// Names the looks and the logits of a decoder by the words that it reads and writes, where the lesson has no names.
import { EOS, marked, readsTexts, sourceColumns, targetWords } from '../../ui/words';
import { byWords } from './summary';

/** The looks of a recurrent decoder, of all positions (T, S) or of one (1, S). */
const LOOK = /^(decoder\.t\d+\.)?attention\/[αe]$/;
/** The logits of all positions (T, V) or of one (1, V). */
const LOGITS = /^(decoder\.t\d+\/)?logits$/;

byWords.names = (lab, { name, shape }) => {
  if (lab.config().kind !== 'seq2seq' || readsTexts(lab)) return {};
  const [rows = 1, columns = 1] = shape.slice(-2);
  const fits = (words: readonly string[], size: number): readonly string[] | undefined =>
    words.length === size ? words : undefined;
  const written = fits([...targetWords(lab).words, EOS], rows);
  if (LOOK.test(name)) return { rows: written, columns: fits(sourceColumns(lab, columns), columns) };
  if (LOGITS.test(name)) return { rows: written, columns: fits((lab.task?.targetWords ?? []).map(marked), columns) };
  return {};
};
