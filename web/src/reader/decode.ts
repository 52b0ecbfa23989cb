// Turns the bytes of a file into text.

export interface Decoded {
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
}

const MARKS = [
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const;

/**
 * UTF-16 has a byte order mark; what is no UTF-8 either is taken for Windows-1252, which any bytes can be. Bytes that
 * are `cut` may end within a character, which is dropped.
 */
export function decode(bytes: Uint8Array, cut = false): Decoded {
  const stream = { stream: cut };
  const marked = MARKS.find(({ mark }) => mark.every((byte, i) => bytes[i] === byte));
  if (marked) return { text: new TextDecoder(marked.encoding).decode(bytes, stream), encoding: marked.encoding };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, stream), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}
