import createEngine from 'virtual:engine-parts';
import { withLibrary } from '../library';
import { serve } from '../serve';

serve(() => withLibrary(createEngine()));
