import type { Engine } from '../src/engine/types';

export function withLibrary<Started extends Pick<Engine, 'addToLibrary'>>(engine: Started): Started;
