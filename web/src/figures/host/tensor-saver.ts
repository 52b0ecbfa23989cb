// What <u-export> does for a tensor.
import type { TraceNode } from '../../engine/types';
import type { ExportMenu } from './export-menu';

/** Saves a tensor; the exporter is loaded on first use. undefined: there is nothing to save yet. */
export const tensorSaver = (
  node: TraceNode | undefined,
  values: Float32Array | undefined,
  slice: readonly number[] = [],
): ExportMenu['save'] =>
  node && values && (async (format) => (await import('./tensor-file')).exportTensor({ node, values, slice }, format));
