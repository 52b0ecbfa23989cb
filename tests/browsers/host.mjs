// A host whose pages record their errors; unless told otherwise they are isolated from other origins.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Host as PlainHost } from '../offline-host.mjs';
import { ISOLATION, sendFile, setHeaders } from '../site.mjs';

const RECORDER = fileURLToPath(new URL('recorder.js', import.meta.url));

export class Host extends PlainHost {
  constructor(how = { headers: ISOLATION, under: '/' }) {
    super(how);
  }

  fileAt(path) {
    return path === 'recorder.js' ? RECORDER : super.fileAt(path);
  }

  send(response, file) {
    if (!file.endsWith('.html')) return sendFile(response, file);
    setHeaders(response, file);
    const script = `<script src="${this.under}recorder.js"></script>`;
    response.end(readFileSync(file, 'utf8').replace('<script', `${script}<script`));
  }
}
