// Bench elements of models with a task; loaded on demand.
import './panel';
import '../pair-bar';

/**
 * What a training may need later, when there may be no network: what saves the weights, hands them to a changed program,
 * lets the opening be stopped, exports, and says what is not saved. A static import would not do: a dynamic one may ask
 * for another file.
 */
const later = [
  import('../../lab/store/keep'),
  import('../../lab/take-over'),
  import('../../lab/opening'),
  import('../../lab/script'),
  import('#messages/unsaved'),
];
void Promise.allSettled(later);
