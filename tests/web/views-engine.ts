// The engine in Node, on the same configuration as the page: what the page shows is compared with it.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

const file = process.env.UNROLL_ENGINE ?? fileURLToPath(new URL('../../build/wasm/engine.mjs', import.meta.url));

interface Node {
  id: number;
  name: string;
  gradient: number;
}

/** Every tensor of a finished run by its name. */
export async function tensorsOf(config: object): Promise<Map<string, Float32Array>> {
  const { default: create } = await import(pathToFileURL(file).href);
  const session = new (await create({ wasmBinary: readFileSync(file.replace(/\.mjs$/, '.wasm')) })).Session();
  const checked = (reply: { ok: boolean; value: unknown; message?: string }): unknown => {
    if (!reply.ok) throw new Error(reply.message);
    return reply.value;
  };
  checked(session.load(config));
  checked(session.run([]));
  const { nodes } = checked(session.trace()) as { nodes: Node[] };
  const tensors = new Map(nodes.map((node) => [node.name, checked(session.values(node.id)) as Float32Array]));
  session.delete();
  return tensors;
}

/** The number that a cell shows: "−1.5 × 10⁻⁷" → -1.5e-7. */
export function numberIn(text: string): number {
  const plain = text
    .trim()
    .replace(
      / × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/,
      (_, power: string) =>
        `e${[...power].map((c) => ('⁰¹²³⁴⁵⁶⁷⁸⁹'.includes(c) ? '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c) : '-')).join('')}`,
    )
    .replace(/−/g, '-')
    .replace('∞', 'Infinity');
  return plain === '' ? NaN : Number(plain);
}
