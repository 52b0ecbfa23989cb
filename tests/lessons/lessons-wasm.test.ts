// Every lesson, in WebAssembly.
import { checkLibrary } from './library';

checkLibrary('WASM');
