// Commands and their actions, from the grammar of SCAN (Lake & Baroni 2018, figure 1 and its appendix).

const VERBS = ['walk', 'look', 'run', 'jump'];
const SIDES = ['left', 'right'];

const pick = (random, from) => from[Math.floor(random() * from.length)];
const times = (n, actions) => Array.from({ length: n }, () => actions).flat();

/** "jump", "turn left", "walk opposite right", "look around left". */
function movement(random) {
  const verb = pick(random, [...VERBS, 'turn']);
  const action = verb === 'turn' ? [] : [`I_${verb.toUpperCase()}`];
  const way = pick(random, verb === 'turn' ? ['', 'opposite', 'around'] : ['plain', '', 'opposite', 'around']);
  if (way === 'plain') return [verb, action];
  const side = pick(random, SIDES);
  const turn = `I_TURN_${side.toUpperCase()}`;
  const words = [verb, way, side].filter(Boolean).join(' ');
  if (way === 'around') return [words, times(4, [turn, ...action])];
  return [words, [...times(way === 'opposite' ? 2 : 1, [turn]), ...action]];
}

function repeated(random) {
  const [words, actions] = movement(random);
  const [often, n] = pick(random, [
    ['', 1],
    ['twice', 2],
    ['thrice', 3],
  ]);
  return [often ? `${words} ${often}` : words, times(n, actions)];
}

function command(random) {
  const [first, second] = [repeated(random), repeated(random)];
  const joint = pick(random, ['', 'and', 'after']);
  if (!joint) return first;
  const inOrder = joint === 'and' ? [first, second] : [second, first];
  return [`${first[0]} ${joint} ${second[0]}`, inOrder.flatMap(([, actions]) => actions)];
}

/** A fixed set of distinct pairs: one per line, with a tab between command and actions. */
export function scanPairs(count) {
  let state = 3;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const pairs = new Map();
  while (pairs.size < count) {
    const [words, actions] = command(random);
    pairs.set(words, actions.join(' '));
  }
  return [...pairs].map((pair) => pair.join('\t')).join('\n');
}
