// A short fingerprint of bytes, to name them and to detect damage.

/** 64 bits in hex, from two hashes that mix differently (FNV-1a, and one that also shifts). Not cryptographic. */
export function fingerprint(data: Uint8Array | string): string {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  let fnv = 0x811c9dc5;
  let other = bytes.length;
  for (let i = 0; i < bytes.length; i++) {
    fnv = Math.imul(fnv ^ bytes[i]!, 0x01000193);
    other = Math.imul(other ^ bytes[i]!, 0x5bd1e995);
    other ^= other >>> 15;
  }
  return [fnv, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
