// One setting of a comparison while it is trained.
import type { CurvePoint } from '../../engine/replay';
import type { RemoteSession } from '../../engine/remote';
import type { Config, EvaluationInfo } from '../../engine/types';

/** The part of a session that a run needs. */
export type TrialSession = Pick<
  RemoteSession,
  'load' | 'train' | 'trace' | 'read' | 'values' | 'evaluate' | 'evaluateMore'
>;

export interface Runner {
  readonly label: string;
  readonly config: Config;
  readonly session: TrialSession;
  readonly hasTask: boolean;
  readonly curve: CurvePoint[];
  /** Milliseconds per step, for each stretch of training. */
  readonly pace: number[];
  /** Number of scalar parameters. */
  readonly parameters: number;
  /** Operations on the longest dependency chain. */
  chain?: number;
  written?: EvaluationInfo;
  /** Why it ended early, in the engine's words. */
  problem?: string;
}

export const stepOf = ({ curve }: Runner): number => curve.at(-1)?.step ?? 0;
