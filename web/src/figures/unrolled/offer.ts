export default { kinds: ['captioner', 'recurrent', 'seq2seq'] };
