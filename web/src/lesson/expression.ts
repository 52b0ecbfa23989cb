// Goals and answers: expressions of the learner's language over the tensors and facts of a run. The engine computes them.
import * as texts from '#messages/lesson/expressions';
import { placeOf } from '../editor/checker';
import { Refused } from '../engine/refused';
import { unplaced, worded, type EngineError, type Words } from '../messages/sentence';
import { isTextName, OF_TASK, partsOfName, TAKES, type Lookup } from './facts';
import type { Answered, Calculated, NamedTensor } from '../engine/types';
import type { Run, SessionLike } from './run';

/** A session of a module that has the language. */
export type Calculator = Pick<SessionLike, 'calculate'>;
/** What names stand for. */
export type Names = Pick<Run, 'lookup'>;
export type Value = Calculated | string;

/** One sentence: what is wrong, and where; `column` counts from 1. */
export class BadExpression extends Error {
  constructor(
    message: string,
    readonly column: number,
  ) {
    super(message);
  }
}

/** trace["attention/α"], α or exact_match(20), and the gradient of either; what is called; and texts in quotes. */
const WORD =
  /trace\["(?<path>[^"]*)"\](?<slope>\.grad\b)?|"[^"]*"|'[^']*'|(?<![.\p{L}\p{M}\p{N}_])(?<word>[\p{L}_][\p{L}\p{M}\p{N}_]*)(?:(?<grad>\.grad\b)|(?<bracket>\((?<number>\d+\))?))?/gu;

/** A name of the trace or a fact, as an expression spells it. */
interface Named {
  name: string;
  spelled: string;
  from: number;
  /** Its letters alone could also be a variable or a word of the language. */
  isWord: boolean;
}

/** Throws BadExpression for a fact of an impossible number. */
function* namedIn(text: string): Generator<Named> {
  for (const { 0: whole, groups = {}, index: from } of text.matchAll(WORD)) {
    const { path, slope, word, grad, bracket, number } = groups;
    if (path !== undefined) yield { name: slope ? `∂${path}` : path, spelled: whole, from, isWord: false };
    else if (word === undefined) continue;
    else if (!bracket) yield { name: grad ? `∂${word}` : word, spelled: whole, from, isWord: true };
    else if (Object.hasOwn(TAKES, word))
      yield { name: factOf(word, number, from), spelled: whole, from, isWord: false };
  }
}

function factOf(word: string, number: string | undefined, from: number): string {
  const [what, most, example] = TAKES[word]!;
  const asked = Number.parseInt(number ?? '0');
  if (asked < 1 || asked > most) throw new BadExpression(texts.takes(word, what, most, example), from + 1);
  return `${word}(${asked})`;
}

/** The names of a run, each looked up once: no others are known. */
export async function only(names: readonly string[], run: Names): Promise<Names> {
  const lookup = await run.lookup(names);
  return { lookup: async () => lookup };
}

/** The names of a run that an expression may use, each once. Throws BadExpression. */
export const namesIn = (text: string): string[] => [...new Set(Array.from(namedIn(text), ({ name }) => name))];

/** Functions that it calls, and methods. */
export const callsIn = (text: string): { name: string; from: number }[] =>
  Array.from(text.matchAll(/[\p{L}_][\p{L}\p{N}_]*(?=\s*\()/gu), ({ 0: name, index }) => ({ name, from: index }));

/** The first name in it that is none of those in `using`, and no word of the language or argument's name. */
export function otherName(text: string, using: readonly string[]): { name: string; from: number } | undefined {
  const names = new Set(using.flatMap(namesIn));
  for (const { name, spelled, from } of namedIn(text))
    if (!names.has(name) && !LANGUAGE.test(spelled) && !/^\s*=(?!=)/.test(text.slice(from + spelled.length)))
      return { name: spelled, from };
  return undefined;
}
const LANGUAGE = /^(and|or|not|if|else|for|in|is|inf|pi|True|False|None)$/;

/** A program that computes the expression, after these lines. */
const program = (expression: string, lines = ''): string => `${lines}def value():\n    return ${expression}\n`;
/** Characters before the expression. */
const BEFORE = 11;

/** The program that computes it, and the tensors it needs. */
interface Bound {
  program: string;
  tensors: NamedTensor[];
}

/**
 * A name becomes a variable, with spaces after it, so that the places in messages are those in the text. Throws BadExpression.
 */
function bind(text: string, lookup: Lookup): Bound {
  const variables = new Map<string, string>();
  const tensors: NamedTensor[] = [];
  let [lines, body, end] = ['', '', 0];
  for (const { name, spelled, from, isWord } of namedIn(text)) {
    const found = isTextName(name) ? lookup.text?.(name) : lookup(name);
    if (found === undefined && !isWord) throw new BadExpression(missing(name), from + 1);
    if (found === undefined) continue;
    let variable = variables.get(name);
    if (variable === undefined) {
      variable = variableFor(name, [...variables.values()]);
      variables.set(name, variable);
      if (typeof found === 'string') lines += `${variable} = ${JSON.stringify(found)}\n`;
      else tensors.push({ name: variable, shape: [...found.shape], values: Float32Array.from(found.values) });
    }
    body += text.slice(end, from) + variable.padEnd(spelled.length);
    end = from + spelled.length;
  }
  return { program: program(body + text.slice(end), lines), tensors };
}

const missing = (name: string): string =>
  OF_TASK.includes(partsOfName(name)[0]) ? texts.needsTask(name) : texts.noTensor(name);

function variableFor(name: string, taken: readonly string[]): string {
  const letters = name.replace(/^∂(.*)$/, '$1_grad').replace(/[^A-Za-zΑ-ω0-9_]|^\d/g, '_');
  return taken.includes(letters) ? variableFor(`${letters}_`, taken) : letters;
}

const TEXT = /^"([^"]*)"$|^'([^']*)'$/;
/** Codes of a refusal that says nothing of the expression. */
const UNANSWERED = ['E_WORKER', 'E_OOM', 'E_MODULE'];

/** Throws BadExpression; or Refused where the engine could not be asked. */
export async function evaluate(session: Calculator, text: string, run: Names): Promise<Value> {
  const lookup = await run.lookup(namesIn(text));
  const [, quoted, other] = TEXT.exec(text) ?? [];
  const alone = lookup.text?.(text) ?? quoted ?? other;
  if (alone !== undefined) return alone;
  const bound = bind(text, lookup);
  const reply = await session.calculate(bound.program, bound.tensors);
  if (reply.ok) return reply.value;
  throw UNANSWERED.includes(reply.code) ? new Refused(reply) : refusalOf(await unplaced(reply), reply, text);
}

function refusalOf(message: string, problem: Partial<EngineError>, text: string): BadExpression {
  const column = (placeOf(problem)?.column ?? 0) - BEFORE;
  return new BadExpression(message, Math.max(1, Math.min(column, text.length + 1)));
}

/** What is wrong with an expression, whatever its names stand for; null if it can be read. */
export function complaintOf(
  text: string,
  calculate: (program: string) => Answered<unknown>,
  words: Words,
): string | null {
  try {
    namesIn(text);
    const reply = calculate(program('0', program(text))); // which calls the second
    return reply.ok ? null : worded({ ...reply, place: { line: 0, column: 0 } }, words);
  } catch (error) {
    if (error instanceof BadExpression) return error.message;
    throw error;
  }
}

/** The value of an expression that must be a single number. Throws BadExpression. */
export async function numberOf(session: Calculator, text: string, run: Names): Promise<number> {
  const value = await evaluate(session, text, run);
  if (typeof value === 'string' || value.isTruth || value.values.length !== 1)
    throw new BadExpression(texts.notOneNumber(text), 1);
  return value.values[0]!;
}

/** Whether an expression that must be true or false is; a comparison of tensors is if it is for every element. */
export async function holds(session: Calculator, text: string, run: Names): Promise<boolean> {
  const value = await evaluate(session, text, run);
  if (typeof value === 'string' || !value.isTruth) throw new BadExpression(texts.notTrueOrFalse(text), 1);
  return value.values.every(Boolean);
}
