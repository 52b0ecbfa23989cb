// How the output of a program tells of its tests: each reader takes the text as it comes, and calls `tell` with
// { title, file, line, seconds, state: 'passed' | 'failed' | 'flaky' | 'left out', message, measured: what it noted }.

/** Lines of what the reporters of this folder say; all else is the program's own. */
export const SAYS = '\u001e';
export const say = (test) => process.stdout.write(`${SAYS}${JSON.stringify(test)}\n`);

function events(tell) {
  return byLine((line) => line.startsWith(SAYS) && tell(JSON.parse(line.slice(1))));
}

const CASE = /<TestCase name="([^"]*)" filename="([^"]*)" line="(\d+)"/;
const ENDED = /<OverallResultsAsserts .*test_case_success="(\w+)" duration="([^"]*)"/;
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };
const plain = (xml) => xml.replace(/<[^>]*>/g, '').replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);

/** doctest's XML: what stands between the beginning of a case and its result are its failures. */
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

/** A program that is one test itself says nothing of it before it ends. */
export const READERS = { events, doctest, status: () => () => undefined };
