// Training metrics as text: names and formatted values.
import { grouped } from '../../messages/intl';
import type { Training } from '../../lab/training';
import type { EvaluationInfo } from '../../engine/types';

type Figure = [name: string, value: string];
const NONE = '–';

/** 0.934 → "93.4 %". */
export const percent = (share: number): string => (Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : NONE);

/** Seconds → "0:21". */
export const clock = (seconds: number): string => {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
};

const significant = (x: number): string => (Number.isFinite(x) ? String(Number(x.toPrecision(3))) : NONE);

export function figures({ status, step, target, loss, accuracy, evaluation, ...more }: Training): Figure[] {
  const whole = evaluation && evaluation.done === evaluation.pairs;
  const quality: Figure = !whole
    ? ['accuracy', percent(accuracy)]
    : hasReference(evaluation)
      ? ['exact match', percent(evaluation.exactMatch)]
      : ['perplexity', significant(evaluation.perplexity)];
  const planned = status === 'running' || status === 'paused';
  return [
    ['step', planned ? `${step} of ${target}` : String(step)],
    ['loss', significant(loss)],
    quality,
    ['examples/s', more.examplesPerSecond ? grouped(Math.round(more.examplesPerSecond)) : NONE],
    ['elapsed', planned ? `${clock(more.elapsed)} of ${clock(more.expected)}` : clock(more.elapsed)],
  ];
}

/** True if outputs were compared with a target; a language model has no single right continuation. */
const hasReference = ({ exactMatch }: EvaluationInfo): boolean => !Number.isNaN(exactMatch);

export function evaluationFigures(found: EvaluationInfo): Figure[] {
  if (!hasReference(found)) return [['perplexity', significant(found.perplexity)]];
  const precisions = found.precisions.map((p) => percent(p)).join(' · ');
  return [
    ['exact match', percent(found.exactMatch)],
    ['perplexity', significant(found.perplexity)],
    ['BLEU', significant(found.bleu)],
    ['1- to 4-gram precisions', precisions],
    ['brevity penalty', significant(found.brevityPenalty)],
    ...(Number.isFinite(found.alignmentErrorRate)
      ? [['alignment error rate', significant(found.alignmentErrorRate)] as Figure]
      : []),
    ...(Number.isFinite(found.attentionMass)
      ? [['attention on the true links', percent(found.attentionMass)] as Figure]
      : []),
  ];
}
