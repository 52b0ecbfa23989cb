import createEngine from 'virtual:threaded-engine-program_threads';
import wasm from 'virtual:wasm-program_threads';
import { withLibrary } from '../library';
import { serveThreads } from '../threads';

serveThreads((parts) => withLibrary(createEngine(parts)), import.meta.url, new URL(wasm, import.meta.url).href);
