// A host for the built site that can be stopped; its pages record their errors.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileFor, ISOLATION, sendFile, sendNothing, setHeaders } from '../site.mjs';

const recorder = readFileSync(new URL('recorder.js', import.meta.url), 'utf8');
const RECORDER = '<script src="/recorder.js"></script>';

export class Host {
  /** Requested paths that do not exist. */
  missing = [];

  async start() {
    this.server = createServer((request, response) =>
      this.answer(new URL(request.url, 'http://host').pathname, response),
    );
    await new Promise((listens) => this.server.listen(0, '127.0.0.1', listens));
    this.address = `http://127.0.0.1:${this.server.address().port}/`;
    return this;
  }

  answer(path, response) {
    for (const [name, value] of Object.entries(ISOLATION)) response.setHeader(name, value);
    if (path === '/recorder.js') {
      setHeaders(response, path);
      return response.end(recorder);
    }
    const file = fileFor(path);
    if (!file) {
      this.missing.push(path);
      return sendNothing(response);
    }
    if (!file.endsWith('.html')) return sendFile(response, file);
    setHeaders(response, file);
    response.end(readFileSync(file, 'utf8').replace('<script', `${RECORDER}<script`));
  }

  /** Takes the network away from the browsers. */
  stop() {
    this.server.close();
    this.server.closeAllConnections();
  }
}
