// What the engine refuses, in the page's English.
import { english } from '../../web/plugin/english';
import { worded, type Told } from '../../web/src/messages/sentence';

export const said = (told: Told): string => worded(told, english);
