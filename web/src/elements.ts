// All custom elements that show the lab.
import './shell/bench';
import './shell/contents';
import './shell/press';
import './shell/setup';
import './stepper/transport';
import './views/index';
import './lesson/index';
