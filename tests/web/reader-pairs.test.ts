// Pairs as people have them: each awkward text is read as stated, and what is read is the same if it is read again.
import { expect, it } from 'vitest';
import { readPairs, type PairChoices, type PairsRead } from '../../web/src/reader/pairs';

const AUTO: PairChoices = { punctuation: false, unspaced: true };
const read = (text: string, choices: Partial<PairChoices> = {}): PairsRead => readPairs(text, { ...AUTO, ...choices });
const left = ({ leftOut }: PairsRead): string[] => leftOut.map(({ line, why }) => `${line}: ${why}`);

type More = Partial<PairsRead> & { left?: string[]; chosen?: Partial<PairChoices> };
/** A text; its pairs for the engine; what else is expected of the reading. */
type Case = [text: string, data: string, more?: More];

const TATOEBA = ['Go.\tVa !\tCC-BY 2.0 (France) Attribution: tatoeba.org #2877272 (CM) & #1158250 (sacredceltic)', 'Hi.\tSalut.\tCC-BY 2.0 (France) Attribution: tatoeba.org #538123 (CM) & #509819 (Aiji)', 'Run!\tCours !\tCC-BY 2.0 (France) Attribution: tatoeba.org #906328 (papabear) & #906331 (sacredceltic)']; // prettier-ignore

const cases: Record<string, Case> = {
  tabs: ['a b\tx\nc\ty', 'a b\tx\nc\ty', { separator: '\t', tokens: 'words' }],
  letters: ['ab\tba\ncd\tdc', 'ab\tba\ncd\tdc', { tokens: 'characters' }],
  'the files of Tatoeba and ManyThings': [
    TATOEBA.join('\n'),
    'Go.\tVa !\nHi.\tSalut.\nRun!\tCours !',
    { tokens: 'words' },
  ],
  'Tatoeba’s own columns: number, text, number, text': [
    '1\tGo on.\t7\tVa !\n2\tHi.\t8\tSalut.\n3\tRun!\t9\tCours !',
    'Go on.\tVa !\nHi.\tSalut.\nRun!\tCours !',
  ],
  'a tab at the end, from an empty column': [
    'go on\tva\t\nhi\tsalut\t\nrun\tcours\t',
    'go on\tva\nhi\tsalut\nrun\tcours',
  ],
  'a third column in one line only': ['a\tb\nc\td\te\nf\tg', 'a\tb\nc\td\nf\tg'],
  'numbers on both sides': ['12\t21\n34\t43', '12\t21\n34\t43'],
  'lines without a partner': [
    'a\tb\nc\n\td\ne\t\n \t \n\nf\tg',
    'a\tb\nf\tg',
    {
      left: [
        '2: one column only',
        '3: the source side is empty',
        '4: the target side is empty',
        '5: both sides are blank',
      ],
    },
  ],
  'a byte order mark': ['\uFEFFgo on\tva\nhi\tsalut', 'go on\tva\nhi\tsalut'],
  'Windows line ends': ['go on\tva\r\nhi\tsalut\r\n', 'go on\tva\nhi\tsalut'],
  'old Macintosh line ends': ['go on\tva\rhi\tsalut\r', 'go on\tva\nhi\tsalut'],
  'quotes in tab-separated text are letters': ['"a, b"\t"c ""d"" e"\n"\tx y', '"a, b"\t"c ""d"" e"\n"\tx y'],
  'commas, with quotes as spreadsheets write them': [
    'en,fr\n"Come in, please",Entrez\n"He said ""no""",Il dit non',
    'Come in, please\tEntrez\nHe said "no"\tIl dit non',
    { separator: ',', names: ['en', 'fr'] },
  ],
  'a cell of two lines': [
    'a,b\n"one\ntwo",c d\n,x\ne,f',
    'a\tb\none two\tc d\ne\tf',
    { left: ['4: the source side is empty'] },
  ],
  'a quote that never closes is a letter': ['"a b,c\nd,e\nf,g', '"a b\tc\nd\te\nf\tg', { separator: ',' }],
  'a quote closed within its cell is a letter': ['"a" b,c\nd,e', '"a" b\tc\nd\te', { separator: ',' }],
  'semicolons, with commas in the cells': [
    'it costs 3,50;das kostet 3,50\n"one; two";"eins; zwei"\n1,000 thanks;tausend Dank',
    'it costs 3,50\tdas kostet 3,50\none; two\teins; zwei\n1,000 thanks\ttausend Dank',
    { separator: ';' },
  ],
  'three bars': ['Good day. ||| Guten Tag.\nYes ||| Ja', 'Good day.\tGuten Tag.\nYes\tJa', { separator: '|||' }],
  'a separator that was chosen': ['a,b;c,d\ne,f;g,h', 'a\tb;c\ne\tf;g', { chosen: { separator: ',' }, separator: ',' }],
  'a header in tabs': ['Source\tTarget\na b\tc\nd\te', 'a b\tc\nd\te', { names: ['Source', 'Target'] }],
  'a header that puts the target first': [
    'target,id,source\nb c,1,a\ne,2,d',
    'a\tb c\nd\te',
    { names: ['source', 'target'] },
  ],
  'columns that were chosen': ['a b\tx\t1\nc\ty\t2', 'x\ta b\ny\tc', { chosen: { columns: [1, 0] } }],
  'a column that a line lacks': ['a\tb\tc\nd\te', 'c\ta', { chosen: { columns: [2, 0] }, left: ['2: no column 3'] }],
  'JSON lines, keys in any order': [
    '{"source": "go on", "target": "va"}\n\n{"target": "salut", "id": 7, "source": "hi"}',
    'go on\tva\nhi\tsalut',
    { separator: 'json', names: ['source', 'target'] },
  ],
  'JSON with other keys, within an object': [
    '{"translation": {"en": "go on", "fr": "va"}}\n{"translation": {"fr": "salut", "en": "hi"}}',
    'go on\tva\nhi\tsalut',
    { names: ['en', 'fr'] },
  ],
  'damaged JSON': [
    '{"source": "a b", "target": "c"}\n{"source": "d"}\n{"source": 5, "target": "e"}\n{"source": "f", "target": \n{"source": null, "target": "g"}\n{"source": ["h"], "target": "g"}\n{"source": "i", "target": "j"}\n{"source": "k", "target": "l"}\n{"source": "m", "target": "n"}',
    'a b\tc\ni\tj\nk\tl\nm\tn',
    {
      left: [
        '2: no "target"',
        '3: "source" is a number, not text',
        '4: not JSON: it ends within the object',
        '5: "source" is null, not text',
        '6: "source" is a list, not text',
      ],
    },
  ],
  'tabs and line ends in JSON': [
    '{"source": "a\\tb\\nc", "target": "d"}\n{"source": "e", "target": "f"}',
    'a b c\td\ne\tf',
  ],
  'no-break and narrow spaces': ['go !\tva\u00a0!\none\u00a0day\tun\u202fjour', 'go !\tva !\none day\tun jour'],
  'ideographic spaces and the line separator': [
    '今日 は\tgood\u2028day\n雨\u3000だ\train',
    '今 日 は\tgood day\n雨 だ\train',
  ],
  'soft hyphens and word joiners': ['co\u00adop\u2060s here\tx\nb\ty', 'coops here\tx\nb\ty'],
  'control characters, the engine’s own joiner among them': ['a\x1fb\0\tx y\nc\x07\td', 'ab\tx y\nc\td'],
  'one letter in two spellings': ['e\u0301 \u00e9\tx\nか\u3099\ty', '\u00e9 \u00e9\tx\n\u304c\ty'],
  'emoji as characters': [
    '👋🏽\thi\n👩‍👩‍👧‍👦👋\tfour',
    '👋\x1f🏽\thi\n👩\x1f\u200d\x1f👩\x1f\u200d\x1f👧\x1f\u200d\x1f👦👋\tfour',
    { tokens: 'characters', source: { mean: 1.5, most: 2 } },
  ],
  'flags and keycaps': [
    '🇫🇷🇯🇵\ttwo\n1️⃣2️⃣\tkeys',
    '🇫\x1f🇷🇯\x1f🇵\ttwo\n1\x1f\ufe0f\x1f\u20e32\x1f\ufe0f\x1f\u20e3\tkeys',
    { source: { mean: 2, most: 2 } },
  ],
  'Hebrew points stay with their letters': [
    'שָׁ\ta\nלוֹ\tb',
    'ש\x1f\u05b8\x1f\u05c1\ta\nלו\x1f\u05b9\tb',
    { source: { mean: 1.5, most: 2 } },
  ],
  'a Chinese side beside words': [
    'I like tea\t我喜欢茶\nyes\t是',
    'I like tea\t我 喜 欢 茶\nyes\t是',
    { tokens: 'words', hasUnspaced: true, target: { mean: 2.5, most: 4 } },
  ],
  'Chinese as whole words, if that is chosen': [
    'I like tea\t我喜欢茶\nyes\t是',
    'I like tea\t我喜欢茶\nyes\t是',
    { chosen: { unspaced: false } },
  ],
  'Latin words within Chinese stay whole': ['a b\t我有iPhone手机。\nc\t是', 'a b\t我 有 iPhone 手 机 。\nc\t是'],
  'Thai vowels stay with their consonants': ['a b\tน้ำ\nc\tดี', 'a b\tน้ำ\nc\tดี'],
  'words read as characters, if that is chosen': [
    'go on\tva\nb\tya',
    'go on\tva\nb\tya',
    { chosen: { tokens: 'characters' }, tokens: 'characters', source: { mean: 3, most: 5 } },
  ],
  'punctuation split from words': [
    'One day.\tUn jour !\nDon’t say “3.5”...\tl’été, e-mail',
    'One day .\tUn jour !\nDon’t say “ 3.5 ” ...\tl’été , e-mail',
    { chosen: { punctuation: true }, hasPunctuation: true },
  ],
  'reserved words': [
    'a b\tc\nd <pad>\te\nf\t<bos> g\nh <unk>\ti',
    'a b\tc\nh <unk>\ti',
    {
      left: [
        '2: the source has the word <pad>, which the model uses itself',
        '3: the target has the word <bos>, which the model uses itself',
      ],
    },
  ],
  'half a character': [
    'a b\tc\nd\ud83d\te\nf\tg\udc00',
    'a b\tc',
    { left: ['2: half a character, U+D83D: copy the line again', '3: half a character, U+DC00: copy the line again'] },
  ],
  'a source twice': [
    'Go.\tVa !\nGo.\tMarche.\nHi.\tSalut.',
    'Go.\tVa !\nHi.\tSalut.',
    { left: ['2: the same source as line 1'] },
  ],
  'too many words': [
    `a b\tc\n${'w '.repeat(101)}\td\ne\tf`,
    'a b\tc\ne\tf',
    { left: ['2: the source side is 201 characters (101 words) long: at most 63 words are read'] },
  ],
  'too many characters': [
    `ab\tc\n${'é'.repeat(64)}\td\ne\tf`,
    'ab\tc\ne\tf',
    { left: ['2: the source side is 64 characters long: at most 63 characters are read'] },
  ],
  prose: ['Once upon a time there was a miller.\nHe had a mill. It stood by the river.', '', { separator: null }],
  'prose with commas': [
    'The river, the mill, and the stone.\nIt turns.\nHe counts, and the stone runs, past, and on.',
    '',
    { separator: null },
  ],
  nothing: [' \n\n', '', { separator: null }],
};

it.each(Object.entries(cases))('%s', (_, [text, data, { left: reasons = [], chosen = {}, ...more } = {}]) => {
  const found = read(text, chosen);
  expect(found.data).toBe(data);
  expect(left(found)).toEqual(reasons);
  expect(found).toMatchObject(more);
  if (!data) return;
  const again = read(found.data, { ...chosen, separator: '\t', columns: [0, 1], tokens: found.tokens });
  expect(again.data).toBe(data);
  expect(again.leftOut).toEqual([]);
});

it('names of words in the first row that are data stay data', () => {
  expect(read('one day\tun jour\nenglish\tanglais').data).toBe('one day\tun jour\nenglish\tanglais');
});

it('counts what it cleans', () => {
  const { cleanings } = read('\uFEFFgo\u00a0on\tva\r\ne\u0301te\u0301\tsummer\r\n');
  expect(cleanings).toEqual({ invisible: 1, lineEnds: 2, spaces: 1, composed: 1 });
});

it('of more than 20,000 pairs, or a million characters, the first are read, and the rest is named', () => {
  const many = Array.from({ length: 20_010 }, (_, i) => `w ${i}\tv`).join('\n');
  const found = read(many);
  expect(found.lines).toHaveLength(20_000);
  expect(left(found)).toEqual(['20001: this line and those after it: at most 20,000 pairs are read']);
  const long = Array.from({ length: 1100 }, (_, i) => `${i} ${'x'.repeat(1000)}\tv`).join('\n');
  const cut = read(long);
  expect(cut.data.length).toBeLessThanOrEqual(1 << 20);
  expect(left(cut)).toEqual([`${cut.lines.length + 1}: this line and those after it: at most 1,048,576 characters are read`]); // prettier-ignore
});

it('reads a megabyte, and a line of 200,000 characters, within seconds', () => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `the word ${i}, "quoted"\tle mot numéro ${i} 👋🏽 et la suite`);
  const texts = [rows.join('\n'), `a b\tc\n${'the river '.repeat(20_000)}\td\ne\tf`, '"a,b\n'.repeat(200_000), '\t'.repeat(500_000)]; // prettier-ignore
  for (const text of texts) {
    const begun = performance.now();
    read(text, { punctuation: true });
    expect(performance.now() - begun).toBeLessThan(10_000);
  }
});
