export default { kinds: ['*'] };
