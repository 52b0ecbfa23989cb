// Every text for people is in messages/, where another language is a folder beside messages/en.
import { expect, test } from 'vitest';
import { filesIn, read } from './sources';
import { textsIn } from './texts';

/** What only looks like a text: functions and constants, fonts of a canvas, the name of a lock, and a script. */
const ALLOWED = [
  'max(\u{FFFC})',
  '\u{FFFC}def value(): return \u{FFFC}',
  '\u{FFFC} def on_these_inputs(\u{FFFC}): return \u{FFFC}',
  'None',
  'True',
  'False',
  '\u{FFFC} \u{FFFC}px \u{FFFC}',
  '400 \u{FFFC}px \u{FFFC}',
  'unroll-checkpoint \u{FFFC}',
  "const early = []; self.onmessage = (event) => early.push(event); import(\u{FFFC}).then(() => { early.forEach((event) => self.onmessage(event)); new BroadcastChannel(\u{FFFC}).postMessage('started'); });",
];
const isAllowed = (found: string): boolean => ALLOWED.some((each) => found.endsWith(`: ${each}`));

/** What is said here to authors of lessons is English, like the errors of a compiler: only markup is for the page. */
const FOR_AUTHORS = ['web/src/lesson/format/', 'web/plugin/'];

const textsOf = (file: string): string[] =>
  FOR_AUTHORS.some((place) => file.startsWith(place)) ? textsIn(read(file), () => false) : textsIn(read(file));

test('texts are found in every syntax', () => {
  const source = `
    const a = \`\${n} steps\`;
    const b = html\`<p title="Go on">Well \${n}</p>\`;
    const c = ['Pause', 'ArrowUp', 'no', 'M 0 1 L 2 3', '<b>Begin</b>'];
    d.className = 'btn quiet';
    e.querySelector('.row button');
    f = html\`<p class=\${'a b'} style=\${\`--x: \${n}\`}></p>\`;
    throw new Error('This is for programmers.');`;
  const found = (...how: [] | [() => false]): string[] =>
    textsIn(source, ...how).map((text) => text.replaceAll('\u{FFFC}', '…'));
  expect(found()).toEqual(['2: … steps', '3: Well …', '3: Go on', '4: Pause', '4: Begin']);
  expect(found(() => false)).toEqual(['3: Well …', '3: Go on', '4: Begin']);
});

test('no text stands outside messages/', () => {
  const files = filesIn(['web/src', 'web/plugin'], /\.ts$/).filter((file) => !file.startsWith('web/src/messages/'));
  expect(files.length).toBeGreaterThan(200);
  const found = files.flatMap((file) => textsOf(file).map((text) => `${file}:${text}`));
  expect(found.filter((text) => !isAllowed(text))).toEqual([]);
});

test('no text stands in a style sheet', () => {
  const sheets = filesIn(['web/src'], /\.css$/);
  expect(sheets.length).toBeGreaterThan(15);
  const stringsIn = (rule: string): string[] => rule.match(/'[^']*'|"[^"]*"/g) ?? [];
  const found = sheets.flatMap((file) => (read(file).match(/\bcontent:[^;]*/g) ?? []).flatMap(stringsIn));
  expect(found.filter((text) => /\p{L}/u.test(text))).toEqual([]);
});

test('modules import the texts of the page’s language, never of one by name', () => {
  const files = filesIn(['web/src', 'web/plugin'], /\.(?:ts|mjs)$/);
  const isOfALanguage = (file: string): boolean => /^web\/src\/messages\/[a-z]{2}\//.test(file);
  const found = files.filter((file) => !isOfALanguage(file) && /['"][^'"]*\bmessages\/[a-z]{2}\//.test(read(file)));
  expect(found).toEqual([]);
});
