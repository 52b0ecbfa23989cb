// Every second lesson, in WebAssembly.
import { checkLibrary } from './library';

checkLibrary('WASM', 0, 2);
