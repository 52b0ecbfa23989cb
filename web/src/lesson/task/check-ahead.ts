// Fetches what checks answers before the first of them: a lesson that was read can then be solved without a network.

export const fetchCheck = (): Promise<typeof import('./check')> => import('./check');

let reached: IntersectionObserver | null = null;

/** Fetches what checks answers once the learner has reached a task: one at the edge of the window does not count. */
export function fetchWhenReached(task: Element): void {
  reached ??= new IntersectionObserver(
    (entries, observer) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      void fetchCheck().catch(() => undefined); // asked for again with the answer, which tells of a failure
    },
    { rootMargin: '-10% 0%' },
  );
  reached.observe(task);
}
