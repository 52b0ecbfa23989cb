// Completes the names of a program: what the language offers, with its one-line help, and what the program defines.
import { snippetCompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import type { OperationInfo } from '../engine/types';

const KEYWORDS = ['def', 'return', 'for', 'while', 'if', 'elif', 'else', 'in', 'and', 'or', 'not', 'pass', 'break', 'continue', 'None', 'True', 'False']; // prettier-ignore
const ATTRIBUTES = ['shape', 'T', 'mT'];

/** A method is written after its object, the first parameter. */
const ofMethod = (parameters: string): string => parameters.replace(/^\w+(, )?/, '');

function asCompletion({ name, parameters, help, isMethod }: OperationInfo): Completion {
  const inside = isMethod ? ofMethod(parameters) : parameters;
  const completion = { label: name, detail: `(${inside})`, info: help, type: 'function' };
  return snippetCompletion(inside ? `${name}(\${})` : `${name}()`, completion);
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** Names that the text has already, but the one being written. */
function namesIn(text: string, from: number): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(WORD)) if (match.index !== from) found.add(match[0]);
  return [...found];
}

export function completions(operations: readonly OperationInfo[]): CompletionSource {
  const methods = [
    ...ATTRIBUTES.map((label) => ({ label, type: 'property', boost: 1 })),
    ...operations.filter(({ isMethod }) => isMethod).map(asCompletion),
  ];
  const functions = operations.filter(({ isMethod }) => !isMethod).map(asCompletion);
  const known = new Set([...operations.map(({ name }) => name), ...KEYWORDS, ...ATTRIBUTES]);
  return (context) => {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
    const from = word?.from ?? context.pos;
    const before = context.state.sliceDoc(Math.max(0, from - 1), from);
    if (before === '.') return { from, options: methods };
    if (!word && !context.explicit) return null;
    const own = namesIn(context.state.doc.toString(), from).filter((name) => !known.has(name));
    return {
      from,
      options: [
        ...own.map((label) => ({ label, type: 'variable', boost: 1 })),
        ...functions,
        ...KEYWORDS.map((label) => ({ label, type: 'keyword' })),
      ],
    };
  };
}
