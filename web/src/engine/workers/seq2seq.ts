import createEngine from 'virtual:engine-seq2seq';
import { serve } from '../serve';

serve(createEngine);
