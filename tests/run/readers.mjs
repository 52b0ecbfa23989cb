// Readers of test output: each takes the text of a program as it arrives and calls `tell` for every test with
// { title, file, line, seconds, state: 'passed' | 'failed' | 'flaky' | 'left out', message, measured: its annotations }.

/** Marks the lines that the reporters of this folder print; other lines are the program's own. */
export const SAYS = '\u001e';
export const say = (test) => process.stdout.write(`${SAYS}${JSON.stringify(test)}\n`);

function events(tell) {
  return byLine((line) => line.startsWith(SAYS) && tell(JSON.parse(line.slice(1))));
}

const CASE = /<TestCase name="([^"]*)" filename="([^"]*)" line="(\d+)"/;
const ENDED = /<OverallResultsAsserts .*test_case_success="(\w+)" duration="([^"]*)"/;
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };
const plain = (xml) => xml.replace(/<[^>]*>/g, '').replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);

/** doctest's XML: everything between the start of a case and its result describes its failures. */
function doctest(tell) {
  let test = null;
  return byLine((line) => {
    const begun = CASE.exec(line);
    if (begun) test = { title: plain(begun[1]), file: begun[2], line: Number(begun[3]), message: '' };
    const ended = ENDED.exec(line);
    if (!test || begun) return;
    if (!ended) return void (test.message += `${plain(line)}\n`);
    tell({ ...test, state: ended[1] === 'true' ? 'passed' : 'failed', seconds: Number(ended[2]) });
    test = null;
  });
}

function byLine(read) {
  let rest = '';
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    lines.forEach(read);
  };
}

/** `status`: the whole program is one test, judged by its exit status. */
export const READERS = { events, doctest, status: () => () => undefined };
