// Finds texts for people in a source: text between the tags of a template, attributes that are shown or read aloud, and
// any other string that reads like a sentence or a title.
import ts from 'typescript';

/** The line of a text and the text itself: "12: Show as table". `isText` is asked of what is not markup. */
export function textsIn(source: string, isText = readsAsText): string[] {
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

/** The value of an attribute `class` or `style`, or of `className`; the rules of the program editor. */
function isStyle(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return node.expression.getText() === 'EditorView.theme';
  if (ts.isBinaryExpression(node)) return node.left.getText().endsWith('.className');
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
