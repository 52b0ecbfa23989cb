const attention = ['attention', 'attention_layer', 'lookup', 'transformer'];
const programs = ['program', 'program_lm', 'program_seq2seq'];
export default { kinds: [...attention, ...programs, 'captioner', 'recurrent', 'seq2seq'] };
