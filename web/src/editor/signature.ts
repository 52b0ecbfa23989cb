// Within the parentheses of a call, shows its parameters above it.
import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { EditorView, showTooltip, ViewPlugin, type Tooltip, type ViewUpdate } from '@codemirror/view';
import type { OperationInfo } from '../engine/types';
import { openCall } from './chains';
import { signatureOf, type MembersOf } from './members';

type Shown = { text: string; at: number } | null;

const show = StateEffect.define<Shown>();

const shown = StateField.define<Shown>({
  create: () => null,
  update(before, { effects, docChanged, changes }) {
    const last = effects.filter((effect) => effect.is(show)).at(-1);
    if (last) return last.value;
    return before && docChanged ? { ...before, at: changes.mapPos(before.at) } : before;
  },
  provide: (field) => showTooltip.from(field, (it) => it && tooltipOf(it)),
});

const tooltipOf = ({ text, at }: NonNullable<Shown>): Tooltip => ({
  pos: at,
  above: true,
  create: () => {
    const dom = document.createElement('div');
    dom.className = 'cm-signature';
    dom.textContent = text;
    return { dom };
  },
});

/** Characters before the cursor in which the call is looked for. */
const BEFORE = 1000;

export function signatures(operations: readonly OperationInfo[], membersOf: MembersOf): Extension {
  const plugin = ViewPlugin.fromClass(
    class {
      private asked = 0;

      update({ view, docChanged, selectionSet, focusChanged }: ViewUpdate): void {
        if (docChanged || selectionSet || focusChanged) void this.find(view);
      }

      private async find(view: EditorView): Promise<void> {
        const asked = ++this.asked;
        const { state, hasFocus } = view;
        const { head, empty } = state.selection.main;
        const from = Math.max(0, head - BEFORE);
        const call = hasFocus && empty ? openCall(state.sliceDoc(from, head)) : null;
        const signature = call && (await signatureOf(call.chain, state.doc.toString(), operations, membersOf));
        await Promise.resolve(); // a view takes no change while it is updated
        if (asked !== this.asked) return;
        const next =
          call && signature ? { text: `${signature.name}(${signature.parameters})`, at: from + call.at } : null;
        const before = view.state.field(shown);
        if (next?.text !== before?.text || next?.at !== before?.at) view.dispatch({ effects: show.of(next) });
      }

      destroy(): void {
        this.asked = -1;
      }
    },
  );
  return [shown, plugin];
}
