// How the tests and the benchmark start Chromium: Debian's, or another in $CHROMIUM; nothing of its own on the network.
export const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
