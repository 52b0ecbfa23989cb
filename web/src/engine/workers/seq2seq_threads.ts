import createEngine from 'virtual:threaded-engine-seq2seq_threads';
import wasm from 'virtual:wasm-seq2seq_threads';
import { serveThreads } from '../threads';

serveThreads(createEngine, import.meta.url, new URL(wasm, import.meta.url).href);
