/** Reports the URLs that this page, or this worker, has fetched so far, and those it fetches from now on. */
export function onFetched(report: (urls: string[]) => void): void {
  const observer = new PerformanceObserver((list) => report(list.getEntries().map(({ name }) => name)));
  observer.observe({ type: 'resource', buffered: true });
}
