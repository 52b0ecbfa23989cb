// Entry point of the interactive parts of a lesson. On other pages it finds nothing to do.
import './source.css';
import './compare/compare';
import './step';
import './task/task';
import './training';
import './try';
import { mainLab } from '../lab/lab-root';
import { followReading, markNumbers, openSection, reachFormulas } from './text';

const main = mainLab();
if (main) openSection(main.lab);
followReading();
reachFormulas();
markNumbers();
if (document.querySelector('u-write')) void import('./write/write');
