import { describe, expect, it } from 'vitest';
import {
  decimalsNeeded,
  exact,
  fixed,
  parseNumber,
  scientific,
  shapeText,
  shortest,
  significant,
  tight,
} from '../../web/src/views/numbers';

describe('a float32 in full', () => {
  it('reads back as the same bits, with no digit to spare', () => {
    let seed = 12345;
    const bits = new Uint32Array(1);
    const value = new Float32Array(bits.buffer);
    for (let i = 0; i < 20_000; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      bits[0] = seed;
      const number = value[0]!;
      if (!Number.isFinite(number)) continue;
      const text = shortest(number);
      expect(Math.fround(Number(text))).toBe(number === 0 ? Number(text) : number);
      const digits = text.replace(/e.*/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length;
      if (digits > 1) expect(Math.fround(Number(number.toPrecision(digits - 1)))).not.toBe(number);
    }
  });
  it('is typeset with a real minus, and a power of ten where it is short', () => {
    expect(exact(Math.fround(-0.98522025))).toBe('−0.98522025');
    expect(exact(Math.fround(1e-7))).toBe('1 × 10⁻⁷');
    expect(exact(-Infinity)).toBe('−∞');
    expect(exact(NaN)).toBe('NaN');
    expect(exact(Math.fround(3.4e38))).toBe('3.4 × 10³⁸');
  });
});

describe('rounded numbers', () => {
  it('keeps significant digits', () => {
    expect(significant(1.7417405, 4)).toBe('1.742');
    expect(significant(-0.000012345, 3)).toBe('−1.23 × 10⁻⁵');
    expect(significant(0, 3)).toBe('0');
    expect(significant(1234567, 3)).toBe('1.23 × 10⁶');
  });
  it('never writes minus zero', () => {
    expect(fixed(-0.00001, 2)).toBe('0.00');
    expect(fixed(-0.5, 1)).toBe('−0.5');
    expect(fixed(-Infinity, 2)).toBe('−∞');
  });
  it('squeezes into a narrow cell without hiding that something is there', () => {
    expect(tight(0.583, 2)).toBe('.58');
    expect(tight(-0.07, 2)).toBe('−.07');
    expect(tight(0.0001, 2)).toBe('~0');
    expect(tight(-0.0001, 2)).toBe('−0');
    expect(tight(12345, 0)).toBe('1e4');
  });
  it('writes what is far from one as a power of ten', () => {
    expect(scientific(-4.2e-7, 1)).toBe('−4.2e−7');
    expect(scientific(250000, 1)).toBe('2.5e5');
    expect(scientific(0, 2)).toBe('0');
  });
  it('finds the decimals that a tensor needs', () => {
    expect(decimalsNeeded([1, 0, -2], 4)).toBe(0);
    expect(decimalsNeeded([0.5, Math.fround(0.25)], 4)).toBe(2);
    expect(decimalsNeeded([1 / 3], 4)).toBe(4);
    expect(decimalsNeeded([-Infinity, 1], 4)).toBe(0);
  });
});

describe('what is typed', () => {
  it('is read with either minus, with powers and with infinity', () => {
    expect(parseNumber(' −1.5 ')).toBe(-1.5);
    expect(parseNumber('2e-3')).toBe(0.002);
    expect(parseNumber('.5')).toBe(0.5);
    expect(parseNumber('-inf')).toBe(-Infinity);
    expect(parseNumber('−∞')).toBe(-Infinity);
    expect(parseNumber('+Infinity')).toBe(Infinity);
  });
  it('is refused when it is not one number', () => {
    for (const text of ['', 'abc', 'NaN', '1,5', '1 2', '0x10', '--1', 'infinite'])
      expect(parseNumber(text)).toBeNull();
  });
});

it('writes shapes', () => {
  expect(shapeText([4, 3])).toBe('4 × 3');
  expect(shapeText([])).toBe('scalar');
});
