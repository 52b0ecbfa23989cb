// deflate-raw with the browser's own streams, and a limit on the inflated size.

export class TooLarge extends Error {}

export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return collect(through(bytes, new CompressionStream('deflate-raw')), Infinity);
}

/** Stops reading, and throws TooLarge, as soon as more than `limit` bytes have come out. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array> {
  return collect(through(bytes, new DecompressionStream('deflate-raw')), limit);
}

function through(bytes: Uint8Array<ArrayBuffer>, transform: GenericTransformStream): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(transform as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);
}

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) {
      void reader.cancel();
      throw new TooLarge();
    }
    parts.push(part.value);
  }
  return join(parts, size);
}

function join(parts: Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
