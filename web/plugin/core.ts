// The core of a lesson stands before its mark, `:::deeper`: how many words and tasks there are, and how long they take.
import type { Root, RootContent } from 'mdast';
import { visit } from 'unist-util-visit';
import { LessonProblem } from './problem';

const TASKS = ['predict', 'quiz', 'exercise'];

const isMark = (node: Root | RootContent): boolean => node.type === 'containerDirective' && node.name === 'deeper';

/** The nodes before the mark, or none if the lesson has no mark. */
export function coreOf(nodes: readonly RootContent[]): readonly RootContent[] | undefined {
  const at = nodes.findIndex(isMark);
  return at < 0 ? undefined : nodes.slice(0, at);
}

/** Throws LessonProblem unless there is at most one mark, and it is empty and between two sections. */
export function checkMark(body: readonly RootContent[], file: string): void {
  const root: Root = { type: 'root', children: [...body] };
  let marks = 0;
  visit(root, (node, at, parent) => {
    if (!isMark(node as RootContent)) return;
    const refuse = (sentence: string): never => {
      throw new LessonProblem(file, node.position!.start, sentence);
    };
    const after = root.children[at! + 1];
    if ('children' in node && node.children.length)
      refuse('The mark :::deeper holds text: close it with ::: on the line below it, and write the text after that.');
    if (parent !== root || !at || after?.type !== 'heading' || after.depth !== 2)
      refuse(
        'The mark :::deeper stands between two sections: move it in front of a heading with ##, outside all blocks.',
      );
    if (marks++) refuse('The mark :::deeper stands here for a second time: a core ends once, so keep one of them.');
  });
}

export const tasksIn = (nodes: readonly RootContent[]): number =>
  nodes.filter((node) => 'name' in node && TASKS.includes(node.name)).length;

/** Counts the words of the text, not those of the YAML of its tasks. */
export function wordsIn(nodes: readonly RootContent[]): number {
  let words = 0;
  visit({ type: 'root', children: [...nodes] }, 'text', ({ value }) => {
    words += value.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  });
  return words;
}

/** Slow, to allow for the formulas and the bench. */
const WORDS_A_MINUTE = 150;
const MINUTES_A_TASK = 2;
/** Minutes: an estimate is not given to the minute. */
const ROUNDED_TO = 5;

export function minutesOf(nodes: readonly RootContent[], tasks = tasksIn(nodes)): number {
  const minutes = wordsIn(nodes) / WORDS_A_MINUTE + tasks * MINUTES_A_TASK;
  return Math.max(1, Math.round(minutes / ROUNDED_TO)) * ROUNDED_TO;
}

/** In minutes, for a reader who stops at the end of the core, and for one who does all. */
export interface Time {
  core: number;
  whole: number;
}

/** Where no core is marked, the shorter time is that of the whole text with half of the tasks. */
export function timeToRead(body: readonly RootContent[]): Time {
  const core = coreOf(body);
  return { core: core ? minutesOf(core) : minutesOf(body, tasksIn(body) / 2), whole: minutesOf(body) };
}
