// Every lesson, on the native engine: its bits are those of WebAssembly, so that all of it is for `./lab test all`.
import { describe } from 'vitest';
import { wholeRun } from '../bindings/modules';
import { checkLibrary } from './library';

describe.runIf(wholeRun)('natively', () => checkLibrary('native'));
