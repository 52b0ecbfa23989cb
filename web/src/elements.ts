// All custom elements that show the lab.
import './shell/bench';
import './shell/press';
import './stepper/transport';
import './views/index';
import './lesson/index';

if (document.querySelector('u-setup')) await import('./shell/setup');
