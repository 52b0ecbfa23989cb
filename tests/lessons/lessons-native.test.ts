// Every lesson on the native engine. Its bits equal WebAssembly's, so it runs only in `./lab test all`.
import { describe } from 'vitest';
import { wholeRun } from '../bindings/modules';
import { checkLibrary } from './library';

describe.runIf(wholeRun)('natively', () => checkLibrary('native'));
