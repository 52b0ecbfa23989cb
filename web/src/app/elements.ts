// Loads all custom elements that show the lab.
import '../bench/bench';
import '../bench/transport/transport';
import '../figures/sequence';
import '../lesson/index';

/** What only the workbench has. Not awaited here: it imports from the chunk of this module. */
export const more = document.querySelector('u-setup')
  ? Promise.all([
      import('../workbench/setup'),
      import('../lesson/compare/against'),
      import('../lesson/compare/beside/beside'),
    ])
  : undefined;
