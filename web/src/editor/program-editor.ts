// A program in CodeMirror. It is in a shadow root, because only there the page's policy lets it add its styles.
import * as complete from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import { bracketMatching, codeFolding, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, StateEffect, StateField, type Range, type Text } from '@codemirror/state';
import { Decoration, EditorView, keymap, lineNumbers, WidgetType, type DecorationSet } from '@codemirror/view';
import type { OperationInfo } from '../engine/types';
import { programIn } from '../reader/clean';
import { completions } from './completion';
import { look } from './look';
import type { MembersOf } from './members';
import { signatures } from './signature';

/** Where a program is wrong: line and column count from 1. */
export interface Mistake {
  line: number;
  column: number;
  message: string;
}

export interface EditorOptions {
  /** What a screen reader calls it. */
  label: string;
  operations: readonly OperationInfo[];
  /** Of a package or a class. */
  membersOf: MembersOf;
  onEdit: (text: string) => void;
  /** Something was pasted, which may be a whole file: the text as it is after it. */
  onPaste?: (text: string) => void;
  /** The learner wants the program run. */
  onRun: () => void;
  /** The pointer rests on a line, or on none. */
  onPoint: (line: number | null) => void;
}

/**
 * What is shown on the lines of a program besides its text: the shape that each made, the line that is running, and the lines
 * that a tensor under the pointer comes from. Line numbers count from 1.
 */
interface LineMarks {
  shapes: ReadonlyMap<number, string>;
  running: number | null;
  bright: ReadonlySet<number>;
}

const NONE: LineMarks = { shapes: new Map(), running: null, bright: new Set() };

const change = StateEffect.define<Partial<LineMarks>>();

class ShapeWidget extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: ShapeWidget): boolean {
    return other.text === this.text;
  }

  override toDOM(): HTMLElement {
    const mark = document.createElement('span');
    mark.className = 'cm-shape';
    mark.textContent = this.text;
    return mark;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

const running = Decoration.line({ class: 'cm-on', attributes: { 'aria-current': 'step' } });
const bright = Decoration.line({ class: 'cm-bright' });

function decorations(doc: Text, marks: LineMarks): DecorationSet {
  const all: Range<Decoration>[] = [];
  for (let number = 1; number <= doc.lines; ++number) {
    const line = doc.line(number);
    if (number === marks.running) all.push(running.range(line.from));
    else if (marks.bright.has(number)) all.push(bright.range(line.from));
    const shape = marks.shapes.get(number);
    if (!shape) continue;
    all.push(Decoration.widget({ widget: new ShapeWidget(shape), side: 1 }).range(line.to));
  }
  return Decoration.set(all);
}

const lineMarks = StateField.define<{ marks: LineMarks; shown: DecorationSet }>({
  create: () => ({ marks: NONE, shown: Decoration.none }),
  update(before, { effects, docChanged, changes, newDoc }) {
    const parts = effects.filter((effect) => effect.is(change));
    if (!parts.length) return docChanged ? { ...before, shown: before.shown.map(changes) } : before;
    const now = parts.reduce((all, { value }) => ({ ...all, ...value }), before.marks);
    return { marks: now, shown: decorations(newDoc, now) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
});

/** Enter takes a completion only if one was chosen with the arrow keys: it also ends a line. */
function completeFirst(view: EditorView): boolean {
  if (complete.completionStatus(view.state) !== 'active') return false;
  return (
    complete.acceptCompletion(view) || (complete.moveCompletionSelection(true)(view) && complete.acceptCompletion(view))
  );
}

export class ProgramEditor {
  private readonly view: EditorView;

  constructor(
    room: Element,
    text: string,
    { label, operations, membersOf, onEdit, onPaste, onRun, onPoint }: EditorOptions,
  ) {
    const root = room.shadowRoot ?? room.attachShadow({ mode: 'open' });
    const run = { key: 'Mod-Enter', run: () => (onRun(), true) };
    const pointed = (event: MouseEvent, view: EditorView): void => {
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
      onPoint(at === null ? null : view.state.doc.lineAt(at).number);
    };
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          codeFolding(),
          foldGutter(),
          EditorView.lineWrapping,
          EditorView.clipboardInputFilter.of(programIn),
          history(),
          indentOnInput(),
          indentUnit.of('    '),
          bracketMatching(),
          complete.closeBrackets(),
          complete.autocompletion({
            override: [completions(operations, membersOf)],
            icons: false,
            selectOnOpen: false,
          }),
          signatures(operations, membersOf),
          python().language,
          keymap.of([
            run,
            { key: 'Tab', run: completeFirst },
            ...complete.closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...complete.completionKeymap,
            indentWithTab,
          ]),
          lineMarks,
          look,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', autocapitalize: 'off' }),
          EditorView.updateListener.of(({ docChanged, state, transactions }) => {
            if (docChanged) onEdit(state.doc.toString());
            if (transactions.some((each) => each.isUserEvent('input.paste'))) onPaste?.(state.doc.toString());
          }),
          EditorView.domEventHandlers({ mousemove: pointed, mouseleave: () => onPoint(null) }),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the whole text; undo brings the old one back. */
  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  mark(part: Partial<LineMarks>): void {
    this.view.dispatch({ effects: change.of(part) });
  }

  showMistake(mistake: Mistake | null): void {
    const diagnostics = mistake ? [this.diagnostic(mistake)] : [];
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** From the column to the end of the word there. */
  private diagnostic({ line, column, message }: Mistake): Diagnostic {
    const { doc } = this.view.state;
    const { from: start, to: end, text } = doc.line(Math.min(line, doc.lines));
    const before = [...text].slice(0, column - 1).join('').length;
    const length = /^(\w+|\S)/u.exec(text.slice(before))?.[0].length ?? 0;
    const from = Math.min(start + before, end);
    return { from, to: Math.min(from + length, end), severity: 'error', message };
  }

  reveal(line: number): void {
    const { doc } = this.view.state;
    if (line <= doc.lines) this.view.dispatch({ effects: EditorView.scrollIntoView(doc.line(line).from, { y: 'nearest', yMargin: 40 }) }); // prettier-ignore
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }
}
