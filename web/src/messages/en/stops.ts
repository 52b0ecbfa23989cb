// The stops of a run in words: what a part of a model does, and what its operations make. A sentence, which may be in the middle of
// another one, and a label for the cell of the scrubber. Tokens are put in as they are, to be set in italics.

export interface StopText<Token = never> {
  sentence: readonly (string | Token)[];
  label: string;
}

const called = (sentence: string, label: string): StopText => ({ sentence: [sentence], label });

/** By the name of a network in the engine, with the article it needs. */
const NETWORKS: Readonly<Record<string, string>> = {
  encoder: 'the encoder',
  decoder: 'the decoder',
  network: 'the network',
  cell: 'the cell',
  convnet: 'the convolutional network',
};
const networkOf = (name: string): string => NETWORKS[name] ?? 'the model';

/** " of the encoder", where there is more than one network. */
export const ofNetwork = (name: string): string => (NETWORKS[name] ? ` of ${NETWORKS[name]}` : '');

/** Layers of a network that has several, from 1; null if it has one. */
type Layer = number | null;
const inLayer = (network: string, layer: Layer): string =>
  layer === null ? networkOf(network) : `layer ${layer} of ${networkOf(network)}`;

export const reads = <Token>(network: string, layer: Layer, token: Token, label: string): StopText<Token> => ({
  sentence: [`${inLayer(network, layer)} reads `, token],
  label,
});
export const readsBackwards = <Token>(network: string, layer: Layer, token: Token, label: string): StopText<Token> => ({
  sentence: [`${inLayer(network, layer)} reads `, token, ', coming from the end'],
  label,
});
export const joinsDirections = <Token>(token: Token, label: string): StopText<Token> => ({
  sentence: ['the two directions are joined at ', token],
  label,
});
/** The model's own token, or the target's, which the model need not write. */
const verb = (isOwn: boolean): string => (isOwn ? 'writes' : 'should write');
export const writes = <Token>(network: string, token: Token, label: string, isOwn: boolean): StopText<Token> => ({
  sentence: [`${networkOf(network)} ${verb(isOwn)} `, token],
  label,
});
export const ends = (network: string, isOwn: boolean): StopText =>
  called(`${networkOf(network)} ${verb(isOwn)} the end`, END);
/** A position without a token, from 0, as the models count them. */
export const takesPosition = (network: string, layer: Layer, at: number): StopText =>
  called(`${inLayer(network, layer)} takes position ${at}`, `${at}`);

export const readsAll = (network: string): StopText =>
  called(`${networkOf(network)} reads its input`, NETWORKS[network]?.replace('the ', '') ?? 'model');
export const writesAll = (network: string): StopText => called(`${networkOf(network)} writes its output`, 'output');
export const starts = (network: string): StopText => called(`${networkOf(network)} is made ready`, 'start');
export const layer = (network: string, at: number): StopText =>
  called(`layer ${at} of ${networkOf(network)}`, `layer ${at}`);
export const backwards = (network: string): StopText => called(`${networkOf(network)} reads from the end`, 'backwards');
export const BOTH: StopText = called('the two directions are joined', 'joined');
/** `network`: of which, if there are several; else "". */
export const block = (at: number, network: string): StopText =>
  called(`block ${at}${network && ofNetwork(network)} mixes the words`, `block ${at}`);
export const convolution = (at: number): StopText =>
  called(`convolution ${at} looks at the picture`, `convolution ${at}`);
/** A block of rows and columns of the weights. */
export const tile = (at: number): StopText => called(`tile ${at} of the weights`, `tile ${at}`);
/** Keys that are made once, before there is a query. */
export const KEYS: StopText = called('the keys are made', 'keys');
export const keysOfBlock = (at: number): StopText =>
  called(`block ${at} makes its keys and values of the source`, `keys ${at}`);

/** By the last word of a scope's name, without its number. */
export const SCOPES: Readonly<Record<string, StopText>> = {
  attention: called('the attention', 'attention'),
  self_attention: called('the attention to its own words', 'self-attention'),
  cross_attention: called('the attention to the source', 'cross-attention'),
  grid_attention: called('the attention within the picture', 'attention'),
  softmax: called('the weights', 'weights'),
  log_softmax: called('the log-probabilities', 'log-softmax'),
  norm: called('the norm', 'norm'),
  layer_norm: called('the norm', 'norm'),
  rms_norm: called('the norm', 'norm'),
  feed_forward: called('the feed-forward network', 'feed-forward'),
  rotary: called('the rotation by position', 'rotation'),
  gelu: called('the GELU', 'GELU'),
  conv2d: called('the convolution', 'convolution'),
  max_pool2d: called('the largest of each square', 'pooling'),
  scaled_dot_score: called('the scores', 'scores'),
  dot_score: called('the scores', 'scores'),
  additive_score: called('the scores', 'scores'),
  general_score: called('the scores', 'scores'),
  additive_keys: KEYS,
  general_keys: called('the keys, through the matrix of the score', 'through matrix'),
  cross_entropy: called('the loss', 'loss'),
  mean_squared_error: called('the loss', 'loss'),
  update: called('the update of the parameters', 'update'),
};
/** The new state that a cell makes at one position. */
export const NEW_STATE: StopText = called('the new state', 'new state');
/** A function of the learner's program. */
export const functionCalled = (name: string): StopText => called(`the function ${name}`, name);

/** By the name that the engine gives a tensor. */
export const TENSORS: Readonly<Record<string, StopText>> = {
  token: called('the token it reads', 'token'),
  words: called('the words as vectors', 'words'),
  x: called('the input', 'input'),
  X: called('the input', 'input'),
  y: called('the result', 'result'),
  h: called('the states', 'states'),
  s: called('the states', 'states'),
  s0: called('the first state', 'first state'),
  h̄: called('the state with the context', 'with context'),
  q: called('the query', 'query'),
  Q: called('the queries', 'queries'),
  k: called('the keys', 'keys'),
  K: called('the keys', 'keys'),
  v: called('the values', 'values'),
  V: called('the values', 'values'),
  e: called('the scores', 'scores'),
  'e masked': called('the masked scores', 'mask'),
  α: called('the weights', 'weights'),
  'α of y': called('the weights of the words that came', 'words that came'),
  'α of the target': called('the weight of the target', 'target'),
  c: called('the context', 'context'),
  o: called('the output', 'output'),
  m: called('the largest score', 'largest'),
  p: called('the weights before they are divided', 'before division'),
  l: called('the sum to divide by', 'sum'),
  r: called('how much the tiles before still count', 'factor'),
  'l rescaled': called('the sum, scaled anew', 'sum'),
  'o rescaled': called('the output, scaled anew', 'output'),
  logits: called('the logits', 'logits'),
  'log p': called('the log-probabilities', 'log p'),
  L: called('the loss', 'loss'),
  centred: called('the numbers around their mean', 'centred'),
  variance: called('the variance', 'variance'),
  normal: called('the numbers at one scale', 'scaled'),
  normed: called('the normed numbers', 'normed'),
  preactivation: called('the hidden numbers before the activation', 'preactivation'),
  hidden: called('the hidden numbers', 'hidden'),
  'after attention': called('the sum after the attention', 'sum'),
  'after self_attention': called('the sum after the attention to its own words', 'sum'),
  'after cross_attention': called('the sum after the attention to the source', 'sum'),
  'after feed_forward': called('the sum after the feed-forward network', 'sum'),
  picture: called('the picture', 'picture'),
  seen: called('what the convolution sees', 'seen'),
  features: called('the features of the picture', 'features'),
  places: called('the features with their places', 'places'),
  where: called('the places', 'places'),
  pooled: called('the mean of the picture', 'mean'),
  memory: called('the memory', 'memory'),
  source: called('the source', 'source'),
};

/** In the update of the parameters, by what the optimisers call it. */
export const OPTIMISER: Readonly<Record<string, StopText>> = {
  norm: called('the norm of all gradients', 'norm'),
  clip: called('the factor that clips the gradients', 'clipping'),
  g: called('the clipped gradient', 'gradient'),
  step: called('the step', 'step'),
  m: called('the running mean of the gradients', 'mean'),
  v: called('the running mean of their squares', 'squares'),
  'η m̂': called('the mean, times the learning rate', 'times rate'),
  '√v̂': called('the root of the squares', 'root'),
  'w decayed': called('the decayed weights', 'decay'),
  'm before': called('the running mean of the gradients before', 'mean before'),
  'v before': called('the running mean of their squares before', 'squares before'),
};

/** In the cell of a recurrent network at one position. */
export const GATES: Readonly<Record<string, StopText>> = {
  r: called('the reset gate', 'reset'),
  z: called('the update gate', 'update'),
  n: called('the proposal for the new state', 'proposal'),
  i: called('the input gate', 'input'),
  f: called('the forget gate', 'forget'),
  o: called('the output gate', 'output'),
  g: called('the proposal for the memory', 'proposal'),
  c: called('the new memory', 'memory'),
  h: NEW_STATE,
  s: NEW_STATE,
};
/** Of a decoder at one position: the token as a vector, and what goes into the cell. */
export const EMBEDDED: StopText = called('the token as a vector', 'vector');
/** Tokens that are looked up, one after the other. */
export const LOOKED_UP: StopText = called('each token becomes a vector', 'tokens');
export const tensorCalled = (name: string): StopText => called(`the tensor ${name}`, name);

/** Results without a name, by their operation. */
const OPERATIONS: Readonly<Record<string, string>> = {
  matmul: 'a matrix product',
  add: 'a sum of two',
  subtract: 'a difference',
  multiply: 'a product',
  divide: 'a quotient',
  negate: 'a change of sign',
  running_mean: 'a running mean',
  running_mean_of_squares: 'a running mean of squares',
  exp: 'the exponentials',
  log: 'the logarithms',
  sqrt: 'the square root',
  tanh: 'a tanh',
  sigmoid: 'a sigmoid',
  relu: 'a ReLU',
  erf: 'an error function',
  sum: 'a sum',
  max: 'the largest',
  softmax: 'a softmax',
  gather: 'a look-up',
  pick: 'a choice of one',
  slice: 'a slice',
  concat: 'a row of parts',
  reshape: 'another shape',
  transpose: 'a transpose',
  broadcast_to: 'copies in a row',
  accumulate: 'a running sum',
  scatter_add: 'a sum into a table',
  one_hot: 'a one among zeros',
  where: 'a choice by condition',
  equal: 'a test for equality',
  greater: 'a comparison',
  pad: 'zeros around',
  unfold: 'all patches',
  fold: 'patches put back',
  seed: 'the gradient of the loss itself',
  gradient_norm: 'the norm of the gradients',
  clip_factor: 'the factor that clips',
};
const withoutArticle = (name: string): string => name.replace(/^(an?|the) /, '');
export function operation(op: string): StopText {
  const name = OPERATIONS[op] ?? `the operation ${op.replaceAll('_', ' ')}`;
  return called(name, withoutArticle(name));
}

export const BACKWARD: StopText = called('the backward pass', 'backward');
export const UPDATE: StopText = called('the update of the parameters', 'update');
/** A token that only marks an end, as a label. */
export const START = 'start';
export const END = 'end';
/** What is computed backwards, through a part or for a tensor. */
export const gradientsIn = <Token>({ sentence, label }: StopText<Token>): StopText<Token> => ({
  sentence: ['gradients, ', ...sentence],
  label,
});
export const gradientOf = <Token>({ sentence, label }: StopText<Token>): StopText<Token> => ({
  sentence: ['the gradient of ', ...sentence],
  label,
});
export const updateOf = ({ sentence, label }: StopText): StopText => ({
  sentence: ['the update of ', ...sentence],
  label,
});

/** The words of a parameter's name. */
const PARAMETERS: Readonly<Record<string, string>> = {
  W_Q: 'query matrix',
  W_K: 'key matrix',
  W_V: 'value matrix',
  W_O: 'output matrix',
  W_1: 'first matrix',
  W_2: 'second matrix',
  W_c: 'matrix of the context',
  init: 'first state',
  out: 'output layer',
  queries: 'query matrix',
  keys: 'key matrix',
  norm1: 'first norm',
  norm2: 'second norm',
  norm3: 'third norm',
};
/** Of a cell, and of an additive score, whose matrices have a letter each. */
const IN_CELL: Readonly<Record<string, string>> = {
  W: 'matrix of the gates for the input',
  U: 'matrix of the gates for the state',
  b: 'bias of the gates for the input',
  c: 'bias of the gates for the state',
};
const IN_SCORE: Readonly<Record<string, string>> = {
  W: 'matrix for the query',
  U: 'matrix for the keys',
  b: 'bias of the score',
  v: 'vector of the score',
};
function parameterWord(word: string, isBlock: boolean): string {
  const layer = /^(\d+)(_reverse)?$/.exec(word);
  const kind = isBlock ? 'block' : 'layer';
  if (layer) return `${kind} ${Number(layer[1]) + 1}${layer[2] ? ', from the end' : ''}`;
  return PARAMETERS[word] ?? word.replaceAll('_', ' ');
}

/** "encoder.0.attention.W_Q.weight" → "the query matrix (encoder, block 1, attention)". */
export function parameter(path: readonly string[]): StopText {
  const named = path.length > 1 && path.at(-1) === 'weight' ? path.slice(0, -1) : path;
  const words = named.map((word) => parameterWord(word, /attention|norm|feed_forward/.test(path[2] ?? '')));
  const special = /^\d/.test(path.at(-2) ?? '') ? IN_CELL : path.at(-2) === 'attention' ? IN_SCORE : {};
  const [own, around] = [special[path.at(-1)!] ?? words.at(-1) ?? '', words.slice(0, -1).join(', ')];
  return called(`${own.length > 1 ? 'the ' : ''}${own}${around && ` (${around})`}`, own);
}

/** One of several of the same name at a level. */
export const numbered = <Token>({ sentence, label }: StopText<Token>, at: number): StopText<Token> => ({
  sentence: [...sentence, ` (${at})`],
  label,
});
export const belongingTo = <Token>({ sentence, label }: StopText<Token>, network: string): StopText<Token> => ({
  sentence: [...sentence, ofNetwork(network)],
  label,
});
