// English: the texts of the page, one module for each room and each figure, with constants and functions. A room loads
// only the texts that it imports. The page asks for "#messages/ROOM", which web/package.json resolves
// to this folder: another language is a folder beside it, of the same modules with the same exports, under a condition
// of its own there. What the engine says is English already: a translation has it in refusals.ts, by the engine's
// patterns.
export const LANGUAGE = 'en-GB';
