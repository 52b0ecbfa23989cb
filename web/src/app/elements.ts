// Loads all custom elements that show the lab.
import '../bench/bench';
import '../ui/press';
import '../bench/transport/transport';
import './index';
import '../lesson/index';

if (document.querySelector('u-setup'))
  await Promise.all([import('../workbench/setup'), import('../lesson/compare/against')]);
