// Exports the record of progress as one file. Loaded on demand: by its page, and where answers are not kept.
import { EXPORT_PROGRESS, fileName } from '#messages/progress';
import { wholeRecord } from '../../lab/store/record';
import { textOf } from '../../lab/store/record-file';
import type { Lab } from '../../lab/lab';
import type { Outcome } from '../../lab/store/storage';
import { saveFile } from '../../ui/save-file';

export async function exportProgress(): Promise<void> {
  const text = textOf(await wholeRecord());
  const day = new Date().toISOString().slice(0, 10);
  saveFile(fileName(day), new Blob([text], { type: 'application/json' }));
}

/** While the page is open, what the browser did not keep can be exported. */
export const reportUnkept = (lab: Lab, outcome: Outcome): void =>
  lab.reportUnsaved('answered', outcome, { label: EXPORT_PROGRESS, run: () => void exportProgress() });
