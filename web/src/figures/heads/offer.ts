export default { kinds: ['attention_layer', 'program', 'program_lm', 'program_seq2seq', 'transformer'], map: true };
