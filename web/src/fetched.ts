/** Tells what this page, or this worker, has fetched so far, and what it fetches from now on. */
export function onFetched(tell: (urls: string[]) => void): void {
  const observer = new PerformanceObserver((list) => tell(list.getEntries().map(({ name }) => name)));
  observer.observe({ type: 'resource', buffered: true });
}
