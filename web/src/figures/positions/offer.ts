export default { kinds: ['attention_layer', 'transformer'] };
