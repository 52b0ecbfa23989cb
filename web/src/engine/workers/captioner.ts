import createEngine from 'virtual:engine-captioner';
import { serve } from '../serve';

serve(createEngine);
