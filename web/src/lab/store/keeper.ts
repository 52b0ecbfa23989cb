// Where a lab keeps what it has trained. The page's main lab keeps it in the browser; any other keeps it nowhere, and has
// only the weights that came with the page.
import { checkpointFor, dropCheckpoint, lastStored, saveCheckpoint, shippedFor } from './checkpoints';

export interface Keeper {
  find: typeof checkpointFor;
  save: typeof saveCheckpoint;
  drop: typeof dropCheckpoint;
  last: typeof lastStored;
}

const inBrowser: Keeper = {
  find: checkpointFor,
  save: saveCheckpoint,
  drop: dropCheckpoint,
  last: lastStored,
};

const nowhere: Keeper = {
  find: shippedFor,
  save: () => Promise.resolve('kept'),
  drop: () => Promise.resolve(),
  last: () => Promise.resolve(null),
};

export const keeperOf = ({ linked }: { linked: boolean }): Keeper => (linked ? inBrowser : nowhere);
