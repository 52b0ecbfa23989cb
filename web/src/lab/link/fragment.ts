// What every page knows of links: which fragment is one, and that it may be bad. The rest is loaded when there is one.

/** A link that cannot be opened; the message is one sentence naming field, value, range and fix. */
export class BadLink extends Error {}

/** True for fragments that claim to be a state, of any version; others are ordinary anchors. */
export const isLink = (fragment: string): boolean => /^#v\d+\./.test(fragment);
