// Opens a file of the learner's: its text for the field, and what is to be said of it.
import { fileCut, fileRead, READ_AS_LATIN } from '#messages/reader';
import { decode } from '../reader/decode';

const MEGABYTE = 1 << 20;
/** More than is read, but not more than a field can show without stalling. */
const MOST = 4 * MEGABYTE;

export async function openFile(file: File): Promise<{ text: string; remark: string }> {
  const cut = file.size > MOST;
  const { text, encoding } = decode(new Uint8Array(await file.slice(0, MOST).arrayBuffer()), cut);
  const lines = text.replace(/\r\n?/g, '\n');
  const remarks = [
    fileRead(file.name),
    cut && fileCut(Math.ceil(file.size / MEGABYTE), MOST / MEGABYTE),
    encoding === 'windows-1252' && READ_AS_LATIN,
  ];
  return { text: cut ? wholeLines(lines) : lines, remark: remarks.filter(Boolean).join(' ') };
}

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1 || text.length);
