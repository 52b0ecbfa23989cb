// The options of a question, in an order of the learner's own: before they are in sight, as nothing may move under a hand.
import { putText, textIn } from '../../lab/store/web-storage';
import { shuffled } from './shuffled';

const SEED = 'unroll-order';
let drawn = '';

/** The same at every visit; without storage, as long as the page is open. */
function ownSeed(): string {
  drawn ||= String(crypto.getRandomValues(new Uint32Array(1))[0]);
  const stored = textIn('browser', SEED);
  if (!stored) putText('browser', SEED, drawn);
  return stored ?? drawn;
}

export function shuffleOptions(task: HTMLElement): void {
  const list = task.querySelector('.opts');
  if (!list) return;
  const options = [...list.children];
  list.append(...shuffled(options.length, ownSeed() + task.id).map((i) => options[i]!));
}
