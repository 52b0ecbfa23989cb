// After the first visit the site works without a network.
import { root } from '../root';

export function keepOffline(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  addEventListener('load', () => void navigator.serviceWorker.register(new URL('sw.js', root)).catch(() => undefined));
}
