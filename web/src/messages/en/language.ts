// English: the texts of the page, one module for each room and each figure, with constants and functions. A room loads
// only the texts that it imports. The page asks for "#messages/ROOM", which web/package.json resolves
// to this folder: another language is a folder beside it, of the same modules with the same exports, under a condition
// of its own there. What the engine refuses has its sentences in engine/messages: refusals.ts exports them.
export const LANGUAGE = 'en-GB';
