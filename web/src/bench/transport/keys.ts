// Keyboard shortcuts of the transport, ignored where a key already has a meaning: text fields, choices, table cells. Of
// several labs on a page they drive the one with the focus, else the one last pressed, else the first.
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
  { key: 'Home', shown: 'Home', does: 'First step', act: step('first') },
  { key: 'ArrowLeft', shown: '←', does: 'Step back', act: step('back') },
  {
    key: ' ',
    shown: 'Space',
    does: 'Play or pause',
    act: (lab) => (lab.playing ? lab.pause() : lab.play()),
    once: true,
  },
  { key: 'ArrowRight', shown: '→', does: 'Step forward', act: step('forward') },
  { key: 'End', shown: 'End', does: 'Last step', act: step('last') },
  { key: 'i', shown: 'i', does: 'Step into', act: step('into') },
  { key: 'o', shown: 'o', does: 'Step over', act: step('over') },
  { key: 'u', shown: 'u', does: 'Step out', act: step('out') },
  { key: 'r', shown: 'r', does: 'Reset', act: (lab) => void lab.reset(), once: true },
];

const TYPING =
  'input:not([type=checkbox],[type=button]), textarea, select, [contenteditable], [role=grid], [role=radio], [role=tab], dialog, [popover]';
const PRESSING = 'button, a[href], summary, label, [role=button], input';
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

function isTaken(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  if (!(target instanceof Element)) return false;
  if (event.key === ' ' && target.closest(PRESSING)) return true;
  return target.closest(TYPING) !== null || (event.key.length === 1 && event.key !== ' ' && !lettersOn());
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
