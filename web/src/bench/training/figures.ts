// Training metrics as text: names and formatted values.
import * as texts from '#messages/bench/training';
import { grouped } from '../../messages/intl';
import { significant } from '../../ui/numbers';
import type { Training } from '../../lab/training';
import type { EvaluationInfo } from '../../engine/types';

export type Figure = [name: string, value: string];
const NONE = '–';

/** 0.934 → "93.4 %". */
export const percent = (share: number): string => (Number.isFinite(share) ? `${(100 * share).toFixed(1)} %` : NONE);

/** Seconds → "0:21", "1:02:05". */
export const clock = (seconds: number): string => {
  const whole = Math.round(seconds);
  const [minutes, hours] = [Math.floor(whole / 60), Math.floor(whole / 3600)];
  const two = (part: number): string => String(part % 60).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(whole)}` : `${minutes}:${two(whole)}`;
};

/** "0.0431", "1.23 × 10³⁰". */
export const measured = (x: number): string => (Number.isFinite(x) ? significant(x, 3) : NONE);

export function figures({ status, step, target, loss, accuracy, evaluation, ...more }: Training): Figure[] {
  const whole = evaluation && evaluation.done === evaluation.pairs;
  const quality: Figure = !whole
    ? [texts.ACCURACY, Number.isFinite(accuracy) ? texts.ofBatch(percent(accuracy)) : NONE]
    : hasReference(evaluation)
      ? [texts.EXACT_MATCH, texts.ofUnseen(percent(evaluation.exactMatch), evaluation.pairs)]
      : [texts.PERPLEXITY, texts.onUnseen(measured(evaluation.perplexity), evaluation.pairs)];
  const planned = status === 'running' || status === 'paused';
  return [
    [texts.STEP, planned ? texts.outOf(grouped(step), grouped(target)) : grouped(step)],
    [texts.LOSS, measured(loss)],
    quality,
    [texts.SPEED, more.examplesPerSecond ? grouped(Math.round(more.examplesPerSecond)) : NONE],
    [texts.ELAPSED, planned ? texts.outOf(clock(more.elapsed), clock(more.expected)) : clock(more.elapsed)],
  ];
}

/** True if outputs were compared with a target; a language model has no single right continuation. */
const hasReference = ({ exactMatch }: EvaluationInfo): boolean => !Number.isNaN(exactMatch);

export function evaluationFigures(found: EvaluationInfo): Figure[] {
  if (!hasReference(found)) return [[texts.PERPLEXITY, measured(found.perplexity)]];
  const precisions = found.precisions.map((p) => percent(p)).join(' · ');
  return [
    [texts.EXACT_MATCH, percent(found.exactMatch)],
    [texts.PERPLEXITY, measured(found.perplexity)],
    [texts.BLEU, measured(found.bleu)],
    [texts.PRECISIONS, precisions],
    [texts.BREVITY_PENALTY, measured(found.brevityPenalty)],
    ...(Number.isFinite(found.alignmentErrorRate)
      ? [[texts.ALIGNMENT_ERROR_RATE, measured(found.alignmentErrorRate)] as Figure]
      : []),
    ...(Number.isFinite(found.attentionMass) ? [[texts.ATTENTION_MASS, percent(found.attentionMass)] as Figure] : []),
  ];
}
