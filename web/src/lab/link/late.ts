// A change in the last moment before the page is left, which its address does not hold yet: the tab keeps it, and a
// reload in that moment loses nothing.
import { keepTypedHere, typedAt } from '../store/web-storage';
import type { Packed } from './table';

const KEY = 'late';

/** @param late The state that the address lacks when the page is left; null if it lacks none. */
export function keepLate(late: () => Packed | null): void {
  addEventListener('pagehide', () => {
    const table = late();
    keepTypedHere(KEY, table && `${location.href}\n${JSON.stringify(table)}`);
  });
}

/** What this address lacked when it was left last. */
export async function takeLate(): Promise<Packed | null> {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const [address, table] = typedAt(KEY)?.split('\n') ?? [];
  if (visit?.type === 'navigate' || address !== location.href || !table) return null;
  try {
    const { tableIn } = await import('./link');
    return tableIn(table);
  } catch {
    return null; // of another version of the page
  }
}
