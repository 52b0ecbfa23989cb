// Bench elements of models with a task; loaded on demand.
import '../../lab/store/keep';
import './panel';
import '../pair-bar';
