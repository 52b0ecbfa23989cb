// deflate-raw with the browser's own streams, and a limit on the inflated size.

export class TooLarge extends Error {}

type Bytes = Uint8Array<ArrayBuffer>;

export const deflate = async (bytes: Bytes): Promise<Uint8Array> =>
  collect(through(bytes, new CompressionStream('deflate-raw')), Infinity);

/** Stops reading, and throws TooLarge, as soon as more than `limit` bytes have come out. */
export const inflate = async (bytes: Bytes, limit: number): Promise<Uint8Array> =>
  collect(through(bytes, new DecompressionStream('deflate-raw')), limit);

const through = (bytes: Bytes, transform: GenericTransformStream): ReadableStream<Bytes> =>
  new Blob([bytes]).stream().pipeThrough(transform as ReadableWritablePair<Bytes, Bytes>);

async function collect(stream: ReadableStream<Bytes>, limit: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Bytes[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) {
      void reader.cancel();
      throw new TooLarge();
    }
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
