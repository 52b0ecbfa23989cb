// The members of packages and classes, asked for once each.
import type { MemberInfo, OperationInfo, Reply } from '../engine/types';
import { pathOf } from './chains';

export type MembersOf = (path: string) => Promise<readonly MemberInfo[]>;

/** @param ask Asks the engine. What it refuses has none. */
export function remembered(ask: (path: string) => Promise<Reply<MemberInfo[]>>): MembersOf {
  const known = new Map<string, Promise<readonly MemberInfo[]>>();
  const asked = async (path: string): Promise<readonly MemberInfo[]> => {
    const reply = await ask(path);
    if (!reply.ok) known.delete(path);
    return reply.ok ? reply.value : [];
  };
  return (path) => {
    if (!known.has(path)) known.set(path, asked(path));
    return known.get(path)!;
  };
}

/** How a function, class or method of that name is called, "(x, dim=-1)", with its line of help; null if it is unknown. */
export async function signatureOf(
  chain: string,
  text: string,
  operations: readonly OperationInfo[],
  membersOf: MembersOf,
): Promise<{ name: string; parameters: string; help: string } | null> {
  const name = chain.split('.').at(-1)!;
  const path = pathOf(chain, text);
  if (path !== null) {
    const found = (await membersOf(path.slice(0, -name.length - 1))).find(
      (each) => each.name === path.split('.').at(-1),
    );
    return found && found.kind !== 'value' && found.kind !== 'package' ? { ...found, name } : null;
  }
  const isMethod = chain.includes('.');
  const found = operations.find((each) => each.name === name && each.isMethod === isMethod);
  return found ? { ...found, parameters: isMethod ? ofMethod(found.parameters) : found.parameters } : null;
}

/** A method is written after its object, the first parameter. */
export const ofMethod = (parameters: string): string => parameters.replace(/^\w+(, )?/, '');
