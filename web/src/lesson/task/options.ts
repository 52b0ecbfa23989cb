// Shuffles the options of a question for each learner: no position is right more often, and neighbours in a classroom
// see different orders.
import { shuffled } from './shuffled';

const SEED = 'unroll-order';
let drawn = '';

/** The same at every visit; without storage, as long as the page is open. */
function ownSeed(): string {
  drawn ||= String(crypto.getRandomValues(new Uint32Array(1))[0]);
  try {
    const kept = localStorage.getItem(SEED);
    if (!kept) localStorage.setItem(SEED, drawn);
    return kept ?? drawn;
  } catch {
    return drawn;
  }
}

export function shuffleOptions(task: HTMLElement): void {
  const list = task.querySelector('.opts');
  if (!list) return;
  const options = [...list.children];
  list.append(...shuffled(options.length, ownSeed() + task.id).map((i) => options[i]!));
}
