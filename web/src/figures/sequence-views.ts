// The views of the sequence lessons. Importing this defines their elements; see sequence.ts.
import '../styles/beam.css';
import '../styles/curves.css';
import '../styles/sequence.css';
import './alignment/alignment';
import './beam/beam-tree';
import './charts/curves';
import './charts/runs';
import './unrolled/unrolled';
