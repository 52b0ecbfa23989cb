// What this browser's database holds.
import type { DBSchema, IDBPDatabase } from 'idb';

export const OF_VERSION_1 = ['solved', 'tries', 'checkpoints', 'weights', 'data'] as const;
export type Store = (typeof OF_VERSION_1)[number] | 'opened';

/** Values are unknown until checked: they may be damaged, or written by another page of this host. */
export type Schema = DBSchema & Record<Store, { key: string; value: unknown }>;
export type Database = IDBPDatabase<Schema>;
