export default { kinds: ['recurrent'] };
