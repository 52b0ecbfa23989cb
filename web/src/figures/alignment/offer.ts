export default { kinds: ['program_seq2seq', 'seq2seq'], map: true };
