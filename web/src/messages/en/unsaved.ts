// What the browser does not keep. Loaded when that happens.

/** What is lost when the page closes, and what to do instead. */
const WORK = {
  trained: ['what you train', 'copy a link, which can train it again'],
  brought: ['your own data', 'keep a copy of it'],
  answered: ['what you answer', 'export your progress now'],
  imported: ['the imported progress', 'keep the file'],
} as const;

/** What of the work is not saved and why, and a remedy. */
const UNSAVED = {
  full: [(what: string) => `This browser has no space left to save ${what}: it`, 'Delete the data of other sites'],
  late: [(what: string) => `Another tab keeps this browser from saving: ${what}`, 'Close the other tabs of Unroll'],
  newer: [(what: string) => `A newer version of Unroll is open in another tab: ${what}`, 'Reload this page'],
  refused: [(what: string) => `This browser saves nothing for this site: ${what}`, 'Allow site data in its settings'],
} as const;

export function notSaved(work: keyof typeof WORK, outcome: keyof typeof UNSAVED): string {
  const [[what, instead], [lost, remedy]] = [WORK[work], UNSAVED[outcome]];
  return `${lost(what)} will be lost when the page closes. ${remedy}, or ${instead}.`;
}
