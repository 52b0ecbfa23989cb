import createEngine from 'virtual:engine-program';
import { withLibrary } from '../library';
import { serve } from '../serve';

serve(() => withLibrary(createEngine()));
