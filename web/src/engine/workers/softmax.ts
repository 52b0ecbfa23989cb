import createEngine from 'virtual:engine-softmax';
import { serve } from '../serve';

serve(createEngine);
