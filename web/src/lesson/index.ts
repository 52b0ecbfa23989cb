// What makes a lesson's text do things. On other pages it finds nothing to do.
import './source.css';
import './compare';
import { reachFormulas } from './formulas';
import { placeMeanings } from './meaning';
import { followReading, openSection } from './reading';
import './step';
import './task';
import './training';
import './try';

placeMeanings();
openSection();
followReading();
reachFormulas();
if (document.querySelector('u-write')) void import('./write');
