import type { Trace } from '../../engine/types';
import { planarAttentions } from '../shared/attention/attention-trace';

const kinds = ['attention', 'attention_layer', 'lookup', 'seq2seq', 'transformer'];
export default { kinds, fits: (trace: Trace): boolean => planarAttentions(trace).length > 0 };
