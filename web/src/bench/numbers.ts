// What the stage *Numbers* needs.
import './board/board';
import './training/why';
