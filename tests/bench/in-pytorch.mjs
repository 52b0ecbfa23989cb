// PyTorch, natively, on one thread and on all cores; only with a fast library for products is it a peer.
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { compare } from './measure.mjs';
import * as ours from './ours.mjs';

const script = fileURLToPath(new URL('pytorch.py', import.meta.url));
export const PYTHON = process.env.PYTHON || 'python3';

export function hasPyTorch() {
  try {
    execFileSync(PYTHON, ['-c', 'import numpy, torch; torch.__version__'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

// Several may be loaded (one for products, another for LAPACK), and the build's settings name what it was built with:
// the library that multiplies is the one in which the product's symbol is found from PyTorch.
const ASK = `
import ctypes, json, os, torch
class Place(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]
library = openblas = None
try:
    product, place = ctypes.CDLL(torch._C.__file__).sgemm_, Place()
    ctypes.CDLL(None).dladdr(ctypes.cast(product, ctypes.c_void_p), ctypes.byref(place))
    library = os.path.realpath(place.file.decode())
    say = ctypes.CDLL(library).openblas_get_config
    say.restype = ctypes.c_char_p
    openblas = say().decode()
except (AttributeError, OSError): pass
print(json.dumps({"torch": torch.__version__, "config": torch.__config__.show(), "library": library, "openblas": openblas}))
`;

/**
 * @returns {{ torch: string, config: string, library: string | null, openblas: string | null }} library: the path of the
 * one that multiplies; null if PyTorch hides it in itself. openblas: what that library says of itself.
 */
export function askPyTorch(python, env = process.env) {
  const options = { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  return JSON.parse(execFileSync(python, ['-c', ASK], options));
}

/**
 * The BLAS by its name and version, and whether it is made for speed.
 * @param {Omit<ReturnType<typeof askPyTorch>, 'torch'>} facts
 * @returns {{ name: string, isFast: boolean }}
 */
export function blasOf({ config, library, openblas }) {
  if (openblas) return { name: openblas.split(' ').slice(0, 2).join(' '), isFast: true };
  const reference = /\/blas\/libblas\.so\.([\d.]+)$/.exec(library)?.[1];
  if (reference) return { name: `the reference BLAS ${reference}`, isFast: false };
  const mkl = /oneAPI Math Kernel Library Version ([\d.]+)|Math Kernel Library Version ([\d.]+)/.exec(config);
  if (mkl) return { name: `MKL ${mkl[1] ?? mkl[2]}`, isFast: true };
  const file = library?.split('/').at(-1);
  if (/blis|mkl|openblas/i.test(file)) return { name: file, isFast: true };
  return { name: 'an unknown BLAS', isFast: false };
}

/**
 * What the benchmark says of PyTorch before its rows, and whether it is compared with.
 * @param {ReturnType<typeof askPyTorch> | null} facts null without PyTorch
 */
export function peerOf(facts) {
  if (!facts)
    return {
      counts: false,
      words: 'The columns of PyTorch are left out, as no Python here has it: set PYTHON to one that does.',
    };
  const { name, isFast } = blasOf(facts);
  if (isFast) return { counts: true, words: `PyTorch ${facts.torch} multiplies with ${name}.` };
  return {
    counts: false,
    words:
      `The columns of PyTorch ${facts.torch} are left out: it multiplies with ${name}, which is not made for speed. ` +
      'Install another (on Debian libopenblas0-pthread), or set PYTHON to a Python with one.',
  };
}

/** What PyTorch says of itself; null without it. */
export const factsOfPyTorch = () => (hasPyTorch() ? askPyTorch(PYTHON) : null);

function runOn(threads, { kind, sizes }, input) {
  const count = String(threads);
  const env = { ...process.env, OMP_NUM_THREADS: count, OPENBLAS_NUM_THREADS: count, MKL_NUM_THREADS: count };
  const words = [kind, ...Object.values(sizes).map(Number), count];
  return JSON.parse(execFileSync(PYTHON, [script, ...words], { input, env, encoding: 'utf8', maxBuffer: 1 << 26 }));
}

// → { pytorch, pytorch_all }: seconds per run, from the engine's own values and so with its results.
export function inPyTorch(engine, one) {
  const input = Buffer.concat(ours.values(engine, one).map(({ buffer }) => Buffer.from(buffer)));
  const expected = ours[one.kind](engine, one.sizes).result();
  const counts = { pytorch: 1, ...(cpus().length > 1 && { pytorch_all: cpus().length }) };
  return Object.fromEntries(
    Object.entries(counts).map(([name, threads]) => {
      const { seconds, results } = runOn(threads, one, input);
      compare(one.name, { ours: expected, [name]: results });
      return [name, seconds];
    }),
  );
}
