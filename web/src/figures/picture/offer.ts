export default { kinds: ['captioner'], map: true };
