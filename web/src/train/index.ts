// What a model with a task adds to the bench; fetched where there is one.
import './panel';
import '../shell/pair-bar';
