// Completes the names of a program: what the language offers, with its one-line help, and what the program defines.
import { snippetCompletion, type Completion, type CompletionSource } from '@codemirror/autocomplete';
import type { MemberInfo, OperationInfo } from '../engine/types';
import { chainBefore, ownNames, pathOf } from './chains';
import { ofMethod, type MembersOf } from './members';

const KEYWORDS = ['def', 'class', 'lambda', 'import', 'from', 'with', 'assert', 'return', 'for', 'while', 'if', 'elif', 'else', 'in', 'and', 'or', 'not', 'pass', 'break', 'continue', 'None', 'True', 'False']; // prettier-ignore
const ATTRIBUTES = ['shape', 'T', 'mT'];

function asCompletion({ name, parameters, help, isMethod }: OperationInfo): Completion {
  const inside = isMethod ? ofMethod(parameters) : parameters;
  const completion = { label: name, detail: `(${inside})`, info: help, type: 'function' };
  return snippetCompletion(inside ? `${name}(\${})` : `${name}()`, completion);
}

function asMember({ name, kind, parameters, help }: MemberInfo): Completion {
  const type = kind === 'value' ? 'property' : kind === 'package' ? 'namespace' : kind;
  if (kind === 'value' || kind === 'package') return { label: name, type };
  const completion = { label: name, detail: `(${parameters})`, type, ...(help && { info: help }) };
  return snippetCompletion(parameters ? `${name}(\${})` : `${name}()`, completion);
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** Names that the text has already, but the one being written. */
function namesIn(text: string, from: number): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(WORD)) if (match.index !== from) found.add(match[0]);
  return [...found];
}

/** @param membersOf Of a package or a class. */
export function completions(operations: readonly OperationInfo[], membersOf: MembersOf): CompletionSource {
  const methods = [
    ...ATTRIBUTES.map((label) => ({ label, type: 'property', boost: 1 })),
    ...operations.filter(({ isMethod }) => isMethod).map(asCompletion),
  ];
  const functions = operations.filter(({ isMethod }) => !isMethod).map(asCompletion);
  const known = new Set([...operations.map(({ name }) => name), ...KEYWORDS, ...ATTRIBUTES]);
  /** What may stand after "nn.", "self." or "x.". */
  const after = async (object: string | null, text: string, at: number): Promise<Completion[]> => {
    const path = object === null ? null : pathOf(object, text);
    if (path !== null) return (await membersOf(path)).map(asMember);
    if (object !== 'self') return methods;
    const own = ownNames(text, at).map((label) => ({ label, type: 'property', boost: 1 }));
    return [...own, ...(await membersOf('torch.nn.Module')).map(asMember)];
  };
  return async (context) => {
    const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*/u);
    const from = word?.from ?? context.pos;
    const before = context.state.sliceDoc(Math.max(0, from - 1), from);
    if (before === '.') {
      const object = chainBefore(context.state.sliceDoc(Math.max(0, from - 200), from - 1));
      return { from, options: await after(object, context.state.doc.toString(), from) };
    }
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
