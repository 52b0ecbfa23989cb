// The steps that keys and buttons take, and the keys that have a name: arrows and letters need none.
export const FIRST_STEP = 'First step';
export const STEP_BACK = 'Step back';
export const PLAY_OR_PAUSE = 'Play or pause';
export const STEP_FORWARD = 'Step forward';
export const LAST_STEP = 'Last step';
export const STEP_INTO = 'Step into';
export const STEP_OUT = 'Step out';
export const RESET = 'Reset';

export const HOME = 'Home';
export const END = 'End';
export const SPACE = 'Space';
