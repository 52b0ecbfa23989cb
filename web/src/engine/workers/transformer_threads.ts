import createEngine from 'virtual:threaded-engine-transformer_threads';
import wasm from 'virtual:wasm-transformer_threads';
import { serveThreads } from '../threads';

serveThreads(createEngine, import.meta.url, new URL(wasm, import.meta.url).href);
