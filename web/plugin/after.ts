// The text after a prediction often says what comes out, so it is folded up until the reader has answered.
import { ANSWER_FIRST } from '#messages/pages';
import type { RootContent } from 'mdast';
import { element, plain } from './markdown';

interface Rendered {
  type: string;
  data?: { hName?: string; hProperties?: Record<string, unknown> };
}

const tagOf = ({ type, data }: Rendered): string => data?.hName ?? type;
const isPredict = (node: Rendered): boolean => node.data?.hProperties?.dataName === 'predict';
/** A new section, or the next thing to solve. */
const ends = (node: Rendered): boolean => ['heading', 'u-task'].includes(tagOf(node));
/** Shows nothing of what comes out before it is pressed. */
const isControl = (node: Rendered): boolean =>
  ['u-try', 'u-training', 'u-write'].includes(tagOf(node)) || waits(node.data?.hProperties?.dataKind);
/** Comparisons that train when they are told to. */
const waits = (kind: unknown): boolean => kind === 'training' || kind === 'lengths';

/** The nodes with whatever follows a prediction, up to the next task or section, in a <details>; controls at its end stay out. */
export function foldAfterPredictions(nodes: readonly RootContent[]): RootContent[] {
  const folded: RootContent[] = [];
  for (let at = 0; at < nodes.length;) {
    const node = nodes[at++]!;
    folded.push(node);
    if (!isPredict(node as Rendered)) continue;
    const rest = nodes.slice(at) as (RootContent & Rendered)[];
    const next = rest.findIndex(ends);
    const text = next < 0 ? rest : rest.slice(0, next);
    const size = text.findLastIndex((each) => !isControl(each)) + 1;
    if (!size) continue;
    folded.push(
      element('details', { className: ['after'] }, [
        element('summary', {}, [plain(ANSWER_FIRST)]),
        ...text.slice(0, size),
      ]),
    );
    at += size;
  }
  return folded;
}
