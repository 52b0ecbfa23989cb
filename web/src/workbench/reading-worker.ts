// Reads a long text of the learner's beside the page, which goes on meanwhile.
import { readOwn, type Job } from '../reader/own';

addEventListener('message', ({ data }: MessageEvent<Job>) => postMessage({ kind: 'read', reading: readOwn(data) }));
postMessage({ kind: 'ready' });
