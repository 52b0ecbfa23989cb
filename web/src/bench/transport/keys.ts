// Keyboard shortcuts of the transport. They drive the lab whose bench has the focus, by Tab or by a click; anywhere else
// the keys are the reader's, to scroll the text with. Nor do they act where a key already has a meaning: in text fields,
// choices, table cells.
import * as texts from '#messages/bench/keys';
import { putText, textIn } from '../../lab/store/web-storage';
import { hostOf, type Lab } from '../../lab/lab';
import type { StepAction } from '../../engine/types';

interface Shortcut {
  key: string;
  shown: string;
  does: string;
  act: (lab: Lab) => void;
  /** Which step it takes, if it is one. */
  action?: StepAction;
  /** Ignores auto-repeat while the key is held down. */
  once?: boolean;
}

const step = (action: StepAction, key: string, shown: string, does: string): Shortcut => ({
  key,
  shown,
  does,
  action,
  act: (lab) => lab.step(action),
});
const playOrPause = (lab: Lab): void => (lab.playing ? lab.pause() : lab.play());

export const SHORTCUTS: readonly Shortcut[] = [
  step('first', 'Home', texts.HOME, texts.FIRST_STEP),
  step('back', 'ArrowLeft', '←', texts.STEP_BACK),
  { key: ' ', shown: texts.SPACE, does: texts.PLAY_OR_PAUSE, act: playOrPause, once: true },
  step('forward', 'ArrowRight', '→', texts.STEP_FORWARD),
  step('last', 'End', texts.END, texts.LAST_STEP),
  step('into', 'i', 'i', texts.STEP_INTO),
  step('out', 'u', 'u', texts.STEP_OUT),
  { key: 'r', shown: 'r', does: texts.RESET, act: (lab) => void lab.reset(), once: true },
];

const SETTING = 'letter-keys';

/** Single-letter shortcuts can be turned off (WCAG 2.1.4): speech input may type them by accident. */
export const lettersOn = (): boolean => letters !== 'off';
let letters = textIn('browser', SETTING);

/** Without storage the choice lasts as long as the page. */
export function setLetters(on: boolean): void {
  letters = on ? 'on' : 'off';
  putText('browser', SETTING, letters);
}

/** Keys have a meaning of their own in it. */
const takesKeys = (target: Element): boolean =>
  target.closest(
    'input:not([type=checkbox],[type=button]), textarea, select, [contenteditable], [role=grid], [role=radio], [role=tab], dialog, [popover]',
  ) !== null;

/** The space bar presses it, so it does not play. */
const takesSpace = (target: Element): boolean =>
  target.closest('button, a[href], summary, label, [role=button], input') !== null;

/** Asks what has the focus, also in a shadow root, as the editor of a program is. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0] as Element;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  if (event.key === ' ' && takesSpace(target)) return true;
  return takesKeys(target) || (event.key.length === 1 && event.key !== ' ' && !lettersOn());
}

function onKey(event: KeyboardEvent): void {
  const target = event.target as Element;
  const shortcut = SHORTCUTS.find(({ key }) => key === event.key);
  if (!shortcut || !target.closest('u-bench') || isTaken(event)) return;
  event.preventDefault();
  if (!event.repeat || !shortcut.once) shortcut.act(hostOf(target).lab);
}

/** Call once: a page has one keyboard for all its labs. */
export function listenForKeys(): void {
  document.addEventListener('keydown', onKey);
}
