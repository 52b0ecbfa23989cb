// Links as the page makes them, for tests that begin from a state.
import { deflateRawSync } from 'node:zlib';

export const linkTo = (table: unknown): string => `#v1.${deflateRawSync(JSON.stringify(table)).toString('base64url')}`;
