// Every text for people is in messages/, where another language is a folder beside messages/en. Searched is text
// between the tags of a template, attributes that are shown or read aloud, and any other string that reads like a
// sentence or a title.
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesIn, read } from './sources';
import { withTexts } from '../../web/plugin/static-pages';
import { LANGUAGE } from '../../web/src/messages/en/language';
import * as all from '../../web/src/messages/en/static-pages';

/** The line of a text and the text itself: "12: Show as table". `isText` is asked of what is not markup. */
function textsIn(source: string, isText = readsAsText): string[] {
  const file = ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isForProgram(node)) return;
    for (const text of textsAt(node, isText)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      found.push(`${line + 1}: ${text.trim().replace(/\s+/g, ' ')}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Stands for an expression in a template: neither a letter nor a space. */
const HOLE = '\u{FFFC}';

function textsAt(node: ts.Node, isText: (text: string) => boolean): string[] {
  if (ts.isTaggedTemplateExpression(node)) return markupTexts(wholeOf(node.template));
  if (ts.isTaggedTemplateExpression(node.parent ?? node)) return [];
  if (!ts.isTemplateExpression(node) && !ts.isStringLiteralLike(node)) return [];
  const whole = wholeOf(node);
  return /<\w/.test(whole) ? markupTexts(whole) : [whole].filter(isText);
}

const wholeOf = (node: ts.TemplateLiteral | ts.StringLiteralLike): string =>
  ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => HOLE + literal.text).join('')
    : node.text;

const SHOWN = /\s(?:aria-(?:label|description|roledescription|valuetext)|title|alt|placeholder|label)="([^"]*)"/g;

/** The text nodes of a template's markup, and the attributes that people see or hear. */
function markupTexts(markup: string): string[] {
  const plain = markup.replace(/<!--[\s\S]*?-->/g, '');
  const attributes = Array.from(plain.matchAll(SHOWN), ([, value]) => value!);
  const nodes = plain.replace(/<[^<>]*>/g, '\n\n').split('\n\n');
  return [...nodes, ...attributes].filter((text) => /\p{L}{2,}/u.test(text));
}

const WORDS = /\p{L}{2,}[,.:;?!…]?\s+(?:\p{L}{2,}|\u{FFFC})|\u{FFFC}\s+\p{L}{2,}/u;
const TITLE = /^\p{Lu}\p{Ll}+(?:$|[ .,:…])/u;
/** Not texts: names of keys, media queries and numbers. */
const OTHER =
  /^(?:Enter|Escape|Home|End|Tab|Backspace|Delete|Space|Shift|Control|Alt|Meta|Page(?:Up|Down)|Arrow\w+|\(.*\)|Infinity)$/;

const readsAsText = (text: string): boolean => (WORDS.test(text) || TITLE.test(text)) && !OTHER.test(text);

/** Not searched: styles, classes, selectors, names of modules, types, and errors that no learner sees. */
function isForProgram(node: ts.Node): boolean {
  if (ts.isTaggedTemplateExpression(node)) return node.tag.getText() === 'css';
  return (
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isTypeNode(node) ||
    isStyle(node) ||
    isSelector(node) ||
    (ts.isNewExpression(node) && /Error$/.test(node.expression.getText()))
  );
}

/** The value of an attribute `class` or `style`, of `className` or of a property of `style`; the rules of the program editor. */
function isStyle(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return node.expression.getText() === 'EditorView.theme';
  if (ts.isBinaryExpression(node)) return /\.(?:className|style\.\w+)$/.test(node.left.getText());
  return ts.isTemplateSpan(node) && /\s(?:class|style)="?$/.test(textBefore(node));
}

function textBefore(span: ts.TemplateSpan): string {
  const { head, templateSpans } = span.parent;
  return (templateSpans[templateSpans.indexOf(span) - 1]?.literal ?? head).text;
}

const isSelector = ({ parent }: ts.Node): boolean =>
  parent &&
  ts.isCallExpression(parent) &&
  /\.(?:querySelector(?:All)?|closest|matches)$/.test(parent.expression.getText());

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
    d.style.translate = \`\${x}px \${y}px\`;
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

/** Those that are written by hand: each text of theirs comes from messages/ at build time. */
const PAGES = ['index.html', 'workbench/index.html', 'offline.html'].map((name) => read(`web/${name}`));
const NAME = /\{\{(\w+)\}\}/g;
const namesIn = (page: string): string[] => [...page.matchAll(NAME)].map(([, name]) => name!);

test('the pages that are written by hand name every text, and no other', () => {
  expect([...new Set(PAGES.flatMap(namesIn))].sort()).toEqual(['LANGUAGE', ...Object.keys(all)].sort());
  for (const page of PAGES) expect(withTexts(page)).toContain(`<html lang="${LANGUAGE}">`);
  expect(() => withTexts('<p>{{NO_SUCH_TEXT}}</p>')).toThrow('NO_SUCH_TEXT');
});

test('and no text stands in them', () => {
  for (const page of PAGES) {
    expect(textsIn(`html\`${page.replace(NAME, '')}\``)).toEqual([]);
    expect(page).not.toMatch(/name="description" content="(?!\{\{)/);
  }
});
