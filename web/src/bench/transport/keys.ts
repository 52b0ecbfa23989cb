// Keyboard shortcuts of the transport, ignored where a key already has a meaning: text fields, choices, table cells. Of
// several labs on a page they drive the one with the focus, else the one last pressed, else the first.
import * as texts from '#messages/bench/keys';
import type { Lab, LabHost } from '../../lab/lab';
import type { StepAction } from '../../engine/types';

interface Shortcut {
  key: string;
  shown: string;
  does: string;
  act: (lab: Lab) => void;
  /** Ignores auto-repeat while the key is held down. */
  once?: boolean;
}

const step =
  (action: StepAction) =>
  (lab: Lab): void =>
    lab.step(action);

export const SHORTCUTS: readonly Shortcut[] = [
  { key: 'Home', shown: texts.HOME, does: texts.FIRST_STEP, act: step('first') },
  { key: 'ArrowLeft', shown: '←', does: texts.STEP_BACK, act: step('back') },
  {
    key: ' ',
    shown: texts.SPACE,
    does: texts.PLAY_OR_PAUSE,
    act: (lab) => (lab.playing ? lab.pause() : lab.play()),
    once: true,
  },
  { key: 'ArrowRight', shown: '→', does: texts.STEP_FORWARD, act: step('forward') },
  { key: 'End', shown: texts.END, does: texts.LAST_STEP, act: step('last') },
  { key: 'i', shown: 'i', does: texts.STEP_INTO, act: step('into') },
  { key: 'o', shown: 'o', does: texts.STEP_OVER, act: step('over') },
  { key: 'u', shown: 'u', does: texts.STEP_OUT, act: step('out') },
  { key: 'r', shown: 'r', does: texts.RESET, act: (lab) => void lab.reset(), once: true },
];

const SETTING = 'letter-keys';

/** Single-letter shortcuts can be turned off (WCAG 2.1.4): speech input may type them by accident. */
export const lettersOn = (): boolean => letters !== 'off';
let letters = stored();

export function setLetters(on: boolean): void {
  letters = on ? 'on' : 'off';
  try {
    localStorage.setItem(SETTING, letters);
  } catch {
    // No storage: the choice lasts as long as the page.
  }
}

function stored(): string | null {
  try {
    return localStorage.getItem(SETTING);
  } catch {
    return null;
  }
}

/** Keys have a meaning of their own in it. */
const takesKeys = (target: Element): boolean =>
  target.closest(
    'input:not([type=checkbox],[type=button]), textarea, select, [contenteditable], [role=grid], [role=radio], [role=tab], dialog, [popover]',
  ) !== null;

/** The space bar presses it, so it does not play. */
const takesSpace = (target: Element): boolean =>
  target.closest('button, a[href], summary, label, [role=button], input') !== null;

function isTaken(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  if (!(target instanceof Element)) return false;
  if (event.key === ' ' && takesSpace(target)) return true;
  return takesKeys(target) || (event.key.length === 1 && event.key !== ' ' && !lettersOn());
}

let lastPressed: LabHost | null = null;

function labFor(target: EventTarget | null): Lab | undefined {
  const focused = target instanceof Element ? target.closest<LabHost>('u-lab') : null;
  const pressed = lastPressed?.isConnected ? lastPressed : null;
  return (focused ?? pressed ?? document.querySelector<LabHost>('u-lab'))?.lab;
}

function onPointer({ target }: Event): void {
  lastPressed = (target as Element).closest<LabHost>('u-lab') ?? lastPressed;
}

function onKey(event: KeyboardEvent): void {
  const shortcut = SHORTCUTS.find(({ key }) => key === event.key);
  const lab = shortcut && !isTaken(event) && labFor(event.target);
  if (!lab) return;
  event.preventDefault();
  if (!event.repeat || !shortcut.once) shortcut.act(lab);
}

/** Call once: a page has one keyboard for all its labs. */
export function listenForKeys(): void {
  document.addEventListener('keydown', onKey);
  document.addEventListener('pointerdown', onPointer);
}
