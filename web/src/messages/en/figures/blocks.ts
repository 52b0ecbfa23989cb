// The model in blocks: nested boxes, and the operations in them.
import { counted, plural } from '../../intl';
import { NOT_REACHED } from './shared';

export const HEADING = 'The model in blocks';
export const BLOCKS = 'Blocks of the model';
export const FOLLOW_STEPS = 'Follow the steps';
export const CLOSE_ALL = 'Close all';

/** Title of a box that repeats at every position. */
export const POSITION = 'position';
export const shownPosition = (at: number): string => `shown: position ${at}`;
export const parameters = (count: number): string => counted(count, { one: 'parameter', other: 'parameters' });

/** Of the whole model. */
export const pressToOpen = (count: number): string => `${parameters(count)}. Press a box to open it.`;

/** In the middle of a long box, where these are not drawn one by one. */
export const moreOperations = (count: number): string =>
  `… and ${counted(count, { one: 'more operation', other: 'more operations' })}`;

/** In a file, where nothing can be opened: "attention: 4,922 more operations, which the drawing does not show one by one". */
export const foldedRow = (box: string, count: number): string =>
  `${box && `${box}: `}${counted(count, { one: 'more operation', other: 'more operations' })}, which the drawing does not show one by one`;

export interface Operation {
  title: string;
  /** What computes it, if its title does not say so. */
  op?: string | undefined;
  /** Which one of how many, if it repeats; from 1. */
  place?: { at: number; of: number } | undefined;
  shape: string;
  isReached: boolean;
}

export function operation({ title, op, place, shape, isReached }: Operation): string {
  const what = op === undefined ? title : `${title} = ${op}`;
  const which = place ? `${what}, ${place.at} of ${place.of}` : what;
  return `${which}: ${shape}${isReached ? '' : `, ${NOT_REACHED}`}`;
}

export interface Box {
  title: string;
  /** The position on show, if it repeats, and the last one; from 0. */
  place?: { at: number; last: number } | undefined;
  output?: { name: string; shape: string } | undefined;
  /** 0: none to tell. */
  parameters: number;
  operations: number;
  /** How many of them have run. */
  run: number;
}

/** "attention: output o, 1 × 4 × 8; 1,088 parameters; 12 operations, 4 of which have run". */
export function box({ title, place, output, parameters: count, operations, run }: Box): string {
  const parts = [
    ...(output ? [`output ${output.name}, ${output.shape}`] : []),
    ...(count ? [parameters(count)] : []),
    `${counted(operations, { one: 'operation', other: 'operations' })}, ${progress(operations, run)}`,
  ];
  return `${title}${place ? ` ${place.at} (of 0 … ${place.last})` : ''}: ${parts.join('; ')}`;
}

function progress(operations: number, run: number): string {
  if (run === operations) return plural(operations, { one: 'which has run', other: 'all of which have run' });
  if (!run) return plural(operations, { one: 'which has not run', other: 'none of which have run' });
  return counted(run, { one: 'of which has run', other: 'of which have run' });
}

/** The outer blocks, each in the words above, and the title of the one at the cursor. */
export function model(blocks: readonly string[], cursorIn: string | undefined): string {
  const texts = blocks.map((block) => `${block}.`);
  return [...texts, ...(cursorIn === undefined ? [] : [`The cursor is in ${cursorIn}.`])].join(' ');
}

export const COLUMNS = ['block', 'output', 'shape', 'parameters', 'operations'];
export const KEY_COLUMNS = ['block', 'count', 'output', 'shape', 'parameters', 'operations'];
