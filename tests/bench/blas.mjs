// The library that multiplies matrices for PyTorch: only a fast one is a peer.
import { execFileSync } from 'node:child_process';

// Loaded libraries are read from the process itself: the build's settings name what it was built with, not what runs.
const ASK = `
import ctypes, json, re, torch
(torch.ones(2, 2) @ torch.ones(2, 2)).sum()
paths = sorted({line.split()[-1] for line in open("/proc/self/maps") if re.search(r"blas|mkl|blis", line.split()[-1].lower())})
openblas = None
for path in paths:
    try:
        say = ctypes.CDLL(path).openblas_get_config
        say.restype = ctypes.c_char_p
        openblas = say().decode()
    except (AttributeError, OSError): pass
print(json.dumps({"torch": torch.__version__, "config": torch.__config__.show(), "libraries": paths, "openblas": openblas}))
`;

/** @returns {{ torch: string, config: string, libraries: string[], openblas: string | null }} */
export function askPyTorch(python) {
  return JSON.parse(execFileSync(python, ['-c', ASK], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
}

/**
 * The BLAS by its name and version, and whether it is made for speed.
 * @param {{ config: string, libraries: string[], openblas: string | null }} facts
 * @returns {{ name: string, isFast: boolean }}
 */
export function blasOf({ config, libraries, openblas }) {
  if (openblas) return { name: openblas.split(' ').slice(0, 2).join(' '), isFast: true };
  const mkl = /oneAPI Math Kernel Library Version ([\d.]+)|Math Kernel Library Version ([\d.]+)/.exec(config);
  if (mkl) return { name: `MKL ${mkl[1] ?? mkl[2]}`, isFast: true };
  const library = libraries.find((path) => /blis|mkl|openblas/i.test(path));
  if (library) return { name: library.split('/').at(-1), isFast: true };
  const reference = libraries.map((path) => /\/blas\/libblas\.so\.([\d.]+)$/.exec(path)?.[1]).find(Boolean);
  if (reference) return { name: `the reference BLAS ${reference}`, isFast: false };
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
