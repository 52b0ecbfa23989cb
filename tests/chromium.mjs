// How tests and benchmarks start Chromium: $CHROMIUM or the machine's own, without background network traffic.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const named = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
const places = process.env.PATH.split(delimiter);
const installed = named.flatMap((name) => places.map((folder) => join(folder, name))).find(existsSync);

export const executablePath = process.env.CHROMIUM ?? installed;

export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
