// A script that was exported for PyTorch comes back by paste: see engine/program/pytorch.cpp.

const START = /^# ---- program ----\r?\n/m;
const END = /\r?\n# ---- end of program ----\r?$/m;

/** The program in such a script; any other text as it is. Two searches: one for both takes time quadratic in the starts. */
export function programIn(pasted: string): string {
  const start = START.exec(pasted);
  const behind = start && pasted.slice(start.index + start[0].length);
  const end = behind === null ? null : END.exec(behind);
  return end ? behind!.slice(0, end.index) : pasted;
}
