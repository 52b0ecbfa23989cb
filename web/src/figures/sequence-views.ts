// The views of the sequence lessons. Importing this defines their elements; see sequence.ts.
import './alignment/alignment';
import './beam/beam-tree';
import './charts/curves';
import './unrolled/unrolled';
import './shared/word-names';
