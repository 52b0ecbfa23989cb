// Exports the record of progress as one file. Loaded on demand: by its page, and where answers are not kept.
import { fileName } from '#messages/progress';
import { wholeRecord } from '../../lab/store/record';
import { textOf } from '../../lab/store/record-file';
import { saveFile } from '../../ui/save-file';

export async function exportProgress(): Promise<void> {
  const text = textOf(await wholeRecord());
  const day = new Date().toISOString().slice(0, 10);
  saveFile(fileName(day), new Blob([text], { type: 'application/json' }));
}
