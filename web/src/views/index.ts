// The views of the page. Importing this defines their elements.
import './board';
import './code';
import './heatmap';
import './inspector';
import './sequence';
import './vector';
