import createEngine from 'virtual:engine-program';
import { serve } from '../serve';

serve(createEngine);
