// Every sentence of the engine, for what is built in Node.
import * as refusals from '#messages/refusals';
import * as ofPrograms from '#messages/program-refusals';
import { withProgram } from '../src/messages/sentence';

export const english = withProgram(refusals, ofPrograms);
