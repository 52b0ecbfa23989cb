// Every lesson, on the native engine.
import { checkLibrary } from './library';

checkLibrary('native');
