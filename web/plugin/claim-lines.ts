// What `lab lessons --claims` prints: each claim with its sentences, its figures by seed, and what does not hold.
import type { Lesson } from './lesson';
import type { Outcome } from './try-claim';

export function claimLine({ slug, found }: Lesson, name: string): string {
  const made = found.claimed.filter(({ claim }) => claim === name);
  const sentences = made.map(
    ({ sentence, place }) => `  ${found.file}:${place.line}:${place.column}: ${oneLine(sentence)}`,
  );
  return [`${slug}: ${name}`, ...sentences].join('\n');
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

const DIGITS = 4;

export function outcomeLine({ seed, measures, broken }: Outcome): string {
  const figures = [...measures].map(([name, value]) => `${name} ${Number(value.toPrecision(DIGITS))}`);
  const holds = broken.length ? broken.map((condition) => `NOT ${condition}`).join(', ') : 'holds';
  return `  seed ${seed}: ${figures.join(', ')}: ${holds}`;
}

export const verdict = (made: number, broken: number): string =>
  `${made} ${made === 1 ? 'claim' : 'claims'} tried, ${broken} ${broken === 1 ? 'does' : 'do'} not hold`;
