// Bench elements of models with a task; loaded on demand.
import './panel';
import '../pair-bar';
