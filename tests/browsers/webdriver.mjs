// WebKitGTK's browser, on a virtual screen, over plain WebDriver requests.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE = 300_000;
const CONTROL = '\uE009';

/** @param back Whether the browser may keep earlier pages in memory for going back. */
export async function launch(_name, { back }) {
  const screen = await startScreen();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env: environment(screen.display), stdio: 'ignore' });
  const ask = requester(`http://127.0.0.1:${port}`);
  const end = () => [driver, screen.server].forEach((each) => each.kill());
  try {
    const { sessionId, capabilities } = await begin(ask, ['--automation', `--enable-page-cache=${back}`]);
    const call = (method, path, body) => ask(method, `/session/${sessionId}${path}`, body);
    await call('POST', '/timeouts', { script: PATIENCE, pageLoad: PATIENCE });
    await fitWindow(call);
    return {
      ...acts(call),
      name: 'webkit',
      version: capabilities.browserVersion,
      pid: driver.pid,
      heard: [],
      close: () => call('DELETE', '').finally(end),
    };
  } catch (error) {
    end();
    throw error;
  }
}

/** A learner's input, as WebDriver requests. */
function acts(call) {
  const keys = (...actions) => call('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] });
  const key = (type, value) => ({ type, value });
  return {
    allowClipboard: () => undefined,
    goto: (url) => call('POST', '/url', { url }),
    evaluate: (act, ...words) => evaluate(call, act, words),
    clickAt: (x, y) => call('POST', '/actions', { actions: [click(Math.round(x), Math.round(y))] }),
    paste: () => keys(key('keyDown', CONTROL), key('keyDown', 'v'), key('keyUp', 'v'), key('keyUp', CONTROL)),
    collect: () => undefined, // WebKit has no way to request a collection
  };
}

const click = (x, y) => ({
  type: 'pointer',
  id: 'mouse',
  parameters: { pointerType: 'mouse' },
  actions: [
    { type: 'pointerMove', x, y, duration: 0 },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ],
});

async function evaluate(call, act, words) {
  const script = `const words = [...arguments], done = words.pop();
    (async () => (${act})(...words))().then((value) => done({ value }), (error) => done({ error: error.message }));`;
  const answer = await call('POST', '/execute/async', { script, args: words });
  if (answer.error) throw new Error(answer.error);
  return answer.value;
}

function requester(host) {
  return async (method, path, body) => {
    const response = await fetch(host + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
}

/** Retries until the driver listens. */
async function begin(ask, args) {
  const browser = { binary: miniBrowser(), args };
  const capabilities = { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': browser } };
  for (let tries = 100; ; tries--) {
    try {
      return await ask('POST', '/session', { capabilities });
    } catch (error) {
      if (!tries || error.cause?.code !== 'ECONNREFUSED') throw error;
      await sleep(100);
    }
  }
}

/** Waits until the page itself has the size. */
async function fitWindow(call) {
  const [width, height] = [1280, 800];
  await call('POST', '/window/rect', { x: 0, y: 0, width, height });
  for (let tries = 5; tries; tries--) {
    await sleep(300);
    const [inner, outer] = [
      await evaluate(call, () => [innerWidth, innerHeight], []),
      await call('GET', '/window/rect'),
    ];
    if (inner[0] === width && inner[1] === height) return;
    const grown = { width: outer.width + width - inner[0], height: outer.height + height - inner[1] };
    await call('POST', '/window/rect', { x: 0, y: 0, ...grown });
  }
}

/** Debian does not put it on the PATH. */
function miniBrowser() {
  const folders = readdirSync('/usr/lib').map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`);
  return folders.find(existsSync);
}

/** Settings for a machine without a graphics card. */
const environment = (DISPLAY) => ({
  ...process.env,
  DISPLAY,
  LIBGL_ALWAYS_SOFTWARE: '1',
  WEBKIT_DISABLE_COMPOSITING_MODE: '1',
});

function startScreen() {
  const words = ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'];
  const server = spawn('Xvfb', words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  return new Promise((ready, failed) => {
    server.on('error', failed).on('exit', () => failed(new Error('Xvfb did not start')));
    server.stdio[3].once('data', (number) => ready({ server, display: `:${String(number).trim()}` }));
  });
}

function freePort() {
  const probe = createServer();
  return new Promise((found) => {
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });
}
