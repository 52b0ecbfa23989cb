// Text as part of HTML or SVG that is written by hand. (Lit escapes what its templates show.)

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);
