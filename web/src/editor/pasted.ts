// A script that was exported for PyTorch comes back by paste: see engine/program/pytorch.cpp.

import { cleanProgram } from '../reader/clean';

const START = /^# ---- program ----\n/m;
const END = /\n# ---- end of program ----$/m;

/**
 * The program in such a script; any other text but for its byte order mark and line ends. Two searches: one for both
 * takes time quadratic in the starts.
 */
export function programIn(pasted: string): string {
  const text = cleanProgram(pasted);
  const start = START.exec(text);
  const after = start && text.slice(start.index + start[0].length);
  const end = after === null ? null : END.exec(after);
  return end ? after!.slice(0, end.index) : text;
}
