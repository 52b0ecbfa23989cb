// What is shown on the lines of a program besides its text: the shape that each made, the line that is running, and the
// lines that a tensor under the pointer comes from.
import { StateEffect, StateField, type Extension, type Range, type Text } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';

/** Line numbers count from 1. */
export interface LineMarks {
  shapes: ReadonlyMap<number, string>;
  running: number | null;
  bright: ReadonlySet<number>;
}

const NONE: LineMarks = { shapes: new Map(), running: null, bright: new Set() };

const change = StateEffect.define<Partial<LineMarks>>();

export const changeMarks = (view: EditorView, part: Partial<LineMarks>): void =>
  view.dispatch({ effects: change.of(part) });

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

const marks = StateField.define<{ marks: LineMarks; shown: DecorationSet }>({
  create: () => ({ marks: NONE, shown: Decoration.none }),
  update(before, { effects, docChanged, changes, newDoc }) {
    const parts = effects.filter((effect) => effect.is(change));
    if (!parts.length) return docChanged ? { ...before, shown: before.shown.map(changes) } : before;
    const now = parts.reduce((all, { value }) => ({ ...all, ...value }), before.marks);
    return { marks: now, shown: decorations(newDoc, now) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ shown }) => shown),
});

export const lineMarks: Extension = marks;
