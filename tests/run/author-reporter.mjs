// Tells a lesson's author what its checks found: one mistake per line with file, line and column, then the totals.
import { stripVTControlCharacters } from 'node:util';

const NAMED = /^lessons\/\S+:\d+:\d+: /;
const firstLine = (text) => stripVTControlCharacters(text).split('\n', 1)[0];

export default class {
  #passed = 0;
  #failed = 0;

  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    if (state === 'passed') this.#passed++;
    if (state === 'failed') this.#fail(test.fullName, errors);
  }

  /** The engine or the lesson's setup failed. */
  onTestSuiteResult(suite) {
    this.#fail(suite.fullName, suite.errors());
  }

  onTestModuleEnd(module) {
    this.#fail('the checks', module.errors());
  }

  onTestRunEnd(_, errors) {
    this.#fail('the checks', errors);
    console.log(`${this.#passed} checks passed, ${this.#failed} failed`);
  }

  #fail(title, errors) {
    for (const { message } of errors) {
      this.#failed++;
      console.log(NAMED.test(message) ? firstLine(message) : `${title}: ${firstLine(message)}`);
    }
  }
}
