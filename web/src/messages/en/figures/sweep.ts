// A sweep: each part of a tensor is changed in turn, and what that does to each token of the output.
export const HEADING = 'Each in turn';
export const HINT = 'rows: what is changed · columns: the tokens of the target';
export const CAPTION = 'Change of log p of each token of the target, by what is changed';
export const LEGEND = 'change of log p';
export const LOSS = 'loss';
/** "without black, log p of noire changes by −8.2" */
export const cell = (part: string, token: string, change: string): string =>
  `Without ${part}, log p of ${token} changes by ${change}.`;
/** The part whose change costs most, and the token that it costs. */
export const most = (part: string, token: string, change: string): string =>
  `The largest fall: without ${part}, log p of ${token} changes by ${change}.`;
export const NONE_FALLS = 'No token becomes less probable.';
