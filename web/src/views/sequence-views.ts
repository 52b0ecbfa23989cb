// The views of the sequence lessons. Importing this defines their elements; see sequence.ts.
import '../styles/curves.css';
import '../styles/sequence.css';
import './alignment';
import './beam-tree';
import './curves';
import './runs';
import './unrolled';
