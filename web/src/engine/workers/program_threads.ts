import createEngine from 'virtual:threaded-engine-program_threads';
import wasm from 'virtual:wasm-program_threads';
import { serveThreads } from '../threads';

serveThreads(createEngine, import.meta.url, new URL(wasm, import.meta.url).href);
