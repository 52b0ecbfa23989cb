import createEngine from 'virtual:engine-core';
import { serve } from '../serve';

serve(createEngine);
