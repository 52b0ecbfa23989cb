// The stages of the bench, in their order: it shows one of them at a time.
import type { Stage } from '../engine/types';

export const STAGES = ['picture', 'numbers', 'code', 'training'] as const satisfies readonly Stage[];
