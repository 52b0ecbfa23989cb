import createEngine from 'virtual:engine-transformer';
import { serve } from '../serve';

serve(createEngine);
