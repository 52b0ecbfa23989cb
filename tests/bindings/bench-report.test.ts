// What `lab bench` says of its peers, of the machine and of the bars that a run misses.
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { askPyTorch, blasOf, hasPyTorch, peerOf, PYTHON } from '../bench/in-pytorch.mjs';
import { busyBetween, entry, lineOf, verdict } from '../bench/report.mjs';

const facts = { torch: '1.13.1', config: 'BLAS_INFO=generic', library: null, openblas: null };
const FOLDER = '/usr/lib/x86_64-linux-gnu';
const reference = { ...facts, library: `${FOLDER}/blas/libblas.so.3.11.0` };
const openblas = {
  ...facts,
  library: `${FOLDER}/openblas-pthread/libblas.so.3`,
  openblas: 'OpenBLAS 0.3.21 NO_AFFINITY Haswell MAX_THREADS=64',
};

describe('PyTorch is a peer only with a fast BLAS, which is named', () => {
  it('counts with OpenBLAS and with MKL', () => {
    expect(peerOf(openblas)).toEqual({ counts: true, words: 'PyTorch 1.13.1 multiplies with OpenBLAS 0.3.21.' });
    const config = '- Intel(R) oneAPI Math Kernel Library Version 2022.2-Product Build 20220804';
    expect(blasOf({ ...facts, config })).toEqual({ name: 'MKL 2022.2', isFast: true });
  });
  it('does not count with the reference BLAS, with an unknown one, or without PyTorch', () => {
    const { counts, words } = peerOf(reference);
    expect(counts).toBe(false);
    expect(words).toContain('it multiplies with the reference BLAS 3.11.0, which is not made for speed.');
    expect(peerOf(facts).words).toContain('it multiplies with an unknown BLAS');
    expect(peerOf(null).words).toContain('no Python here has it');
  });
});

const LIBRARIES = [`${FOLDER}/blas/libblas.so.3`, `${FOLDER}/openblas-pthread/liblapack.so.3`];
describe.skipIf(!LIBRARIES.every(existsSync) || !hasPyTorch())('PyTorch here', { timeout: 60_000 }, () => {
  /** With these in place of the machine's own BLAS and LAPACK. */
  function peerWith(libraries: readonly string[]): ReturnType<typeof peerOf> {
    const folder = mkdtempSync(join(tmpdir(), 'unroll-blas-'));
    for (const library of libraries) symlinkSync(library, join(folder, basename(library)));
    try {
      return peerOf(askPyTorch(PYTHON, { ...process.env, LD_LIBRARY_PATH: folder }));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it('does not count with the reference BLAS, though OpenBLAS is loaded for LAPACK', () => {
    expect(peerWith(LIBRARIES).words).toContain('it multiplies with the reference BLAS');
  });
  it('counts with OpenBLAS', () => {
    expect(peerWith([`${FOLDER}/openblas-pthread/libblas.so.3`]).words).toContain('multiplies with OpenBLAS');
  });
});

describe('a bar', () => {
  const one = { name: 'train W2', kind: 'train', sizes: { workload: 2 }, bars: { native: { ours: { pytorch: 1 } } } };
  const missed = (seconds: object): string[] => entry(one, 'native', { bytes: 0, ...seconds }).missed.map(verdict);

  it('is missed only where the machine could meet it', () => {
    expect(missed({ ours: 0.04, pytorch: 0.05, floor: 0.03 })).toEqual([]);
    expect(missed({ ours: 0.06, pytorch: 0.05, floor: 0.03 })).toEqual([
      'missed: train W2 in native: ours 0.83 × as fast as pytorch, wanted 1.00',
    ]);
    expect(missed({ ours: 0.06, pytorch: 0.02, floor: 0.03 })).toEqual([
      'out of reach here: train W2 in native: ours 0.33 × as fast as pytorch, wanted 1.00: that is 20.0 ms, and this ' +
        'machine needs 30.0 ms at its peak',
    ]);
  });
  it('of a column that was not measured is left out', () => expect(missed({ ours: 0.06 })).toEqual([]));
  it('has a row that names the processor and how busy it was', () => {
    const machine = { core: '2 × Some CPU', busy: 0.25 };
    expect(lineOf(entry(one, 'native', { bytes: 0, ours: 0.04 }, machine).row)).toContain(
      '[2 × Some CPU, 25 % busy before]',
    );
  });
});

it('busy is the share of the time in which the cores worked', () => {
  const core = (user: number, idle: number): object => ({ times: { user, nice: 0, sys: 0, irq: 0, idle } });
  expect(busyBetween([core(0, 0), core(0, 0)], [core(30, 70), core(10, 90)])).toBeCloseTo(0.2);
});
