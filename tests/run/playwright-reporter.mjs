// Reports every test to the runner as it ends; a retried test is reported once, with both tries.
import { relative } from 'node:path';
import { root } from './parts.mjs';
import { say } from './readers.mjs';

const STATES = { expected: 'passed', unexpected: 'failed', flaky: 'flaky', skipped: 'left out' };

export default class {
  printsToStdio() {
    return true;
  }

  onTestEnd(test, result) {
    const isLast =
      result.status === test.expectedStatus || result.retry === test.retries || result.status === 'skipped';
    if (!isLast) return;
    const { errors } = test.results.find((each) => each.errors.length) ?? result;
    const pictures = result.attachments.filter(({ path }) => path).map(({ path }) => relative(root, path));
    say({
      title: test.titlePath().slice(3).join(' › '),
      file: relative(root, test.location.file),
      line: test.location.line,
      seconds: test.results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
      state: STATES[test.outcome()],
      measured: test.annotations.filter(({ description }) => description).map(({ description }) => description),
      message: [...errors.map(({ message, stack }) => stack ?? message), ...pictures].join('\n'),
    });
  }

  onError({ message, stack }) {
    say({ title: 'outside a test', file: 'tests/web', seconds: 0, state: 'failed', message: stack ?? message });
  }
}
