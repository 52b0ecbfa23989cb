// The other lessons, in WebAssembly: in a file of their own, which another core can run meanwhile.
import { checkLibrary } from './library';

checkLibrary('WASM', 1, 2);
