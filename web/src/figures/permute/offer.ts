export default { kinds: ['attention', 'attention_layer'] };
