// What is typed into the settings of the workbench.
import { expect, it } from 'vitest';
import { typed, unreadable } from '../../web/src/shell/typed';

it('is read as what is in force, with either decimal sign', () => {
  expect(typed('0,5', 1)).toBe(0.5);
  expect(typed('7', 1)).toBe(7);
  expect(typed('1 5 2,5', [1])).toEqual([1, 5, 2.5]);
  expect(typed('3', [1, 2])).toEqual([3]);
  expect(typed('dot', 'scaled_dot')).toBe('dot');
});

it('is quoted when it cannot be read', () => {
  expect(typed('many', 1)).toBeNull();
  expect(unreadable('Seed', 'many', 7)).toBe('Seed cannot be “many”: type a number, such as 7.');
  expect(unreadable('Seed', ' ', 7)).toBe('Seed is empty: type a number, such as 7.');
  expect(unreadable('Scores', '1 two', [1, 5])).toBe(
    'Scores cannot be “1 two”: type numbers with spaces between them, such as 1 5.',
  );
});
