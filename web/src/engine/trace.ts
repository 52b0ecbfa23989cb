// Reads a trace out of the columns in which it leaves the worker.
import type { Phase, Role, RunInfo, Trace, TraceColumns, TraceNode, TraceScope } from './types';

/** What comes of a call that runs the model; null: a trace that the page has said it knows. */
export interface TracedRun {
  run: RunInfo;
  columns: TraceColumns | null;
}

/** From what bindings/trace.cpp writes: a text is its place among `texts`, one a line; a list is its length and its items. */
export function traceOf({ numbers, texts }: TraceColumns): Trace {
  const words = texts.split('\n');
  let at = 0;
  const next = (): number => numbers[at++]!;
  const text = (): string => words[next()]!;
  const list = <Item>(item: (place: number) => Item): Item[] => {
    const items: Item[] = [];
    for (let i = 0, length = next(); i < length; i++) items.push(item(i));
    return items;
  };
  // Properties are read in the order in which they are written.
  const node = (id: number): TraceNode => ({
    id,
    name: text(),
    op: text(),
    rule: text(),
    formula: text(),
    role: text() as Role,
    phase: text() as Phase,
    shape: list(next),
    inputs: list(next),
    scope: next(),
    file: text(),
    line: next(),
    origin: next(),
    gradient: next(),
  });
  const scope = (id: number): TraceScope => ({
    id,
    name: text(),
    parent: next(),
    file: text(),
    line: next(),
    first: next(),
    last: next(),
    phase: text() as TraceScope['phase'],
  });
  return { nodes: list(node), scopes: list(scope) };
}
