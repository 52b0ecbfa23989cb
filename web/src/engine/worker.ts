// The worker with the whole engine.
import createEngine from 'virtual:engine';
import { serve } from './serve';

serve(createEngine);
