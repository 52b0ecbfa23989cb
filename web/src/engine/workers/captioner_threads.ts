import createEngine from 'virtual:threaded-engine-captioner_threads';
import wasm from 'virtual:wasm-captioner_threads';
import { serveThreads } from '../threads';

serveThreads(createEngine, import.meta.url, new URL(wasm, import.meta.url).href);
