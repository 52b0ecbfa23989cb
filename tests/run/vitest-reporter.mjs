// Reports every test to the runner as it ends.
import { relative } from 'node:path';
import { root } from './parts.mjs';
import { say } from './readers.mjs';

const messageOf = ({ stack, message }) => (stack?.includes(message) ? stack : `${message}\n${stack ?? ''}`);
const STATES = { passed: 'passed', failed: 'failed', skipped: 'left out' };

export default class {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    say({
      title: test.fullName,
      file: relative(root, test.module.moduleId),
      line: test.location?.line,
      seconds: (test.diagnostic()?.duration ?? 0) / 1000,
      state: STATES[state] ?? 'failed',
      measured: test.annotations().map(({ message }) => message),
      message: errors.map(messageOf).join('\n'),
    });
  }

  /** An error that keeps tests from running counts as a failure. */
  onTestSuiteResult(suite) {
    this.#broken(suite, suite.fullName, suite.module);
  }

  onTestModuleEnd(module) {
    this.#broken(module, 'the file', module);
  }

  #broken(suite, title, { moduleId }) {
    const message = suite.errors().map(messageOf).join('\n');
    if (message) say({ title, file: relative(root, moduleId), seconds: 0, state: 'failed', message });
  }

  onTestRunEnd(_, errors) {
    for (const error of errors)
      say({ title: 'outside a test', file: 'tests', seconds: 0, state: 'failed', message: messageOf(error) });
  }
}
