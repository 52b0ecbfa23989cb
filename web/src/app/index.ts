// The views of the page. Importing this defines their elements.
import '../bench/board/board';
import '../bench/code/code';
import '../bench/board/heatmap';
import '../bench/inspector/inspector';
import '../figures/sequence';
import '../bench/board/vector';
