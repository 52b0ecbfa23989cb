// What the editor offers after a dot and within parentheses, found in the text around it.
import { CompletionContext, type CompletionResult } from '../../web/node_modules/@codemirror/autocomplete';
import { EditorState } from '../../web/node_modules/@codemirror/state';
import { describe, expect, test } from 'vitest';
import { chainBefore, importsOf, openCall, ownNames, pathOf } from '../../web/src/editor/chains';
import { completions } from '../../web/src/editor/completion';
import { remembered, signatureOf } from '../../web/src/editor/members';
import type { MemberInfo, OperationInfo, Reply } from '../../web/src/engine/types';

const TEXT = `import torch, math
import torch.nn as nn
import numpy.linalg
from torch.nn import functional as F, Module
from torch.nn.init import (
    normal_,  # of the weights
    zeros_ as zeros,
)

class Head(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.key = nn.Linear(size, size)
        self.scale: float = 2

    def forward(self, x):
        return self.

class Other(Module):
    def other(self):
        self.hidden = 1
`;

test('imported names stand for paths', () => {
  expect(Object.fromEntries(importsOf(TEXT))).toMatchObject({
    torch: 'torch',
    nn: 'torch.nn',
    numpy: 'numpy',
    F: 'torch.nn.functional',
    Module: 'torch.nn.Module',
    normal_: 'torch.nn.init.normal_',
    zeros: 'torch.nn.init.zeros_',
  });
  expect(pathOf('nn.Linear', TEXT)).toBe('torch.nn.Linear');
  expect(pathOf('torch.nn', TEXT)).toBe('torch.nn');
  expect(pathOf('x.y', TEXT)).toBeNull();
});

test('a chain of names ends where it is asked for', () => {
  expect(chainBefore('y = nn.Linear')).toBe('nn.Linear');
  expect(chainBefore('(self.key')).toBe('self.key');
  expect(chainBefore('f(x)')).toBeNull();
});

test('self has what its class assigns and defines, and nothing of the next class', () => {
  expect(ownNames(TEXT, TEXT.indexOf('self.\n'))).toEqual(['key', 'scale', 'forward']);
  expect(ownNames(TEXT, TEXT.length)).toEqual(['hidden', 'other']);
  expect(ownNames('x = 1\n', 3)).toEqual([]);
});

test('the call around a place is that of the innermost open parenthesis', () => {
  expect(openCall('y = nn.Linear(4, f(2), ')).toEqual({ chain: 'nn.Linear', at: 13 });
  expect(openCall('y = f(g([1, 2')).toBeNull();
  expect(openCall('y = f(g(')).toEqual({ chain: 'g', at: 7 });
  expect(openCall('def f(x, ')).toBeNull();
  expect(openCall('y = (1 + ')).toBeNull();
});

const LINEAR: MemberInfo = { name: 'Linear', kind: 'class', parameters: 'in_features, bias=True', help: 'x @ W.T + b' };
const OPERATIONS: OperationInfo[] = [
  { name: 'softmax', parameters: 'x, dim', help: '', isMethod: false },
  { name: 'sum', parameters: 'x, dim=None', help: '', isMethod: true },
];

const asked: string[] = [];
const membersOf = remembered((path): Promise<Reply<MemberInfo[]>> => {
  asked.push(path);
  const value = path === 'torch.nn' ? [LINEAR, { name: 'init', kind: 'package', parameters: '', help: '' }] : [];
  return Promise.resolve({ ok: true, value });
});

const labels = async (before: string): Promise<string[]> => {
  const state = EditorState.create({ doc: before });
  const found = await completions(OPERATIONS, membersOf)(new CompletionContext(state, before.length, true));
  return (found as CompletionResult | null)?.options.map(({ label }) => label) ?? [];
};

describe('completion', () => {
  test('offers the members of a package, which are asked for once', async () => {
    expect(await labels('import torch.nn as nn\nnn.')).toEqual(['Linear', 'init']);
    expect(await labels('import torch.nn as nn\nnn.Li')).toEqual(['Linear', 'init']);
    expect(asked.filter((path) => path === 'torch.nn')).toHaveLength(1);
  });

  test('offers methods of tensors after any other name, and functions without a dot', async () => {
    expect(await labels('x.')).toContain('sum');
    expect(await labels('x.')).not.toContain('softmax');
    expect(await labels('so')).toContain('softmax');
    expect(await labels('class A:\n    def f(self):\n        self.key = 1\n        self.')).toContain('key');
  });

  test('knows how functions, methods and classes are called', async () => {
    const text = 'import torch.nn as nn\n';
    const signature = (chain: string): Promise<unknown> => signatureOf(chain, text, OPERATIONS, membersOf);
    expect(await signature('nn.Linear')).toMatchObject({ parameters: 'in_features, bias=True' });
    expect(await signature('nn.init')).toBeNull();
    expect(await signature('softmax')).toMatchObject({ parameters: 'x, dim' });
    expect(await signature('x.sum')).toMatchObject({ parameters: 'dim=None' });
    expect(await signature('unknown')).toBeNull();
  });
});
