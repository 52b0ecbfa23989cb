// The table of `lab lessons`.
import { shareOfChoose, tasksOf, together, type Measured } from './measure';

const HEADS = [
  ['', 'words', '', 'before', 'minutes', '', '', '', 'down-', ''],
  ['lesson', 'core', 'whole', 'doing', 'core', 'whole', 'tasks', 'choose', 'load', 'claims'],
];
/** Columns of words begin at the left. */
const LEFT = [0, 6];

const NONE = '–';

function row(each: Measured): string[] {
  const { lesson, words, minutes, tasks, download, claims } = each;
  const kinds = Object.entries(tasks).map(([kind, count]) => `${count} ${kind}`);
  return [
    lesson,
    String(words.core ?? NONE),
    String(words.whole),
    String(words.before),
    String(minutes.core),
    String(minutes.whole),
    [tasksOf(each), ...(kinds.length ? [kinds.join(', ')] : [])].join(': '),
    tasksOf(each) ? `${Math.round(100 * shareOfChoose(each))} %` : NONE,
    download ? `${Math.round(download / 1024)} KB` : NONE,
    String(claims),
  ];
}

/** Lines of a table, as wide as they need to be. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const padded = (cell: string, column: number): string =>
    LEFT.includes(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return rows.map((cells) => cells.map(padded).join('  ').trimEnd()).join('\n');
}

export const tableOf = (all: readonly Measured[]): string => table([...HEADS, ...all.map(row), row(together(all))]);
