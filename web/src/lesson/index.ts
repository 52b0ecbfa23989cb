// Entry point of the interactive parts of a lesson. On other pages it finds nothing to do.
import './source.css';
import './compare/compare';
import { mainLab } from '../lab/lab-root';
import { followReading, markNumbers, openSection, reachFormulas } from './text';
import './step';
import './task/task';
import './training';
import './try';

const main = mainLab();
if (main) openSection(main.lab);
followReading();
reachFormulas();
markNumbers();
if (document.querySelector('u-write')) void import('./write/write');
