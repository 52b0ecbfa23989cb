export default { kinds: ['lookup', 'attention', 'attention_layer', 'seq2seq', 'transformer'] };
