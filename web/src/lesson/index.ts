// What makes a lesson's text do things. On other pages it finds nothing to do.
import './source.css';
import './compare';
import { reachFormulas } from './formulas';
import { followReading, openSection } from './reading';
import './step';
import './task';
import './training';
import './try';

openSection();
followReading();
reachFormulas();
if (document.querySelector('u-write')) void import('./write');
