// The page has every source that a trace can name.
import { expect, it } from 'vitest';
import { mayBeTraced } from '../../web/plugin/engine-sources';
import type { Config } from '../../web/src/engine/types';
import { traceOf } from '../../web/src/engine/trace';
import { engine, value } from '../bindings/modules';

const { Session } = await engine();

const MODELS: Config[] = [
  { kind: 'attention' },
  { kind: 'attention_layer', positions: 'alibi', mask: 'causal' },
  { kind: 'recurrent', cell: 'lstm' },
  { kind: 'softmax' },
  { kind: 'seq2seq', task: 'reverse', optimiser: 'adam', clip_norm: 1 },
  { kind: 'seq2seq', task: 'reverse', attention: 'luong', window: 'local_p', optimiser: 'rmsprop' },
  { kind: 'transformer', task: 'reverse', optimiser: 'adamw', positions: 'rotary', norm: 'rms', activation: 'swiglu' },
  { kind: 'transformer_lm', task: 'stories', positions: 'learned' },
  { kind: 'language_model', task: 'stories' },
  { kind: 'captioner', task: 'captions' },
];

it.each(MODELS)('%o', (config) => {
  const session = new Session();
  value(session.load(config));
  value(session.run([]));
  const { nodes, scopes } = traceOf(value(session.trace()));
  session.delete();
  const files = new Set([...nodes, ...scopes].map(({ file }) => file).filter((file) => file.startsWith('engine/')));
  expect(files.size).toBeGreaterThan(2);
  expect([...files].filter((file) => !mayBeTraced(file))).toEqual([]);
});
