// A script that was exported for PyTorch comes back by paste: see engine/program/pytorch.cpp.

const EXPORTED = /^# ---- program ----\r?\n([\s\S]*?)\r?\n# ---- end of program ----\r?$/m;

/** The program in such a script; any other text as it is. */
export const programIn = (pasted: string): string => EXPORTED.exec(pasted)?.[1] ?? pasted;
