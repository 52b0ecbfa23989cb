export default { kinds: ['program_lm', 'program_seq2seq', 'seq2seq', 'transformer'] };
