// The URLs of the site and of its scripts.

/** The root of the site: right for a page at any depth, under any sub-path, in development and when built. */
export const root = new URL(/* @vite-ignore */ '..', import.meta.url);

// The URLs that the page starts scripts from: its workers and its service worker. The policy of the built pages makes the
// browser refuse any other (Trusted Types, where the browser has them).

interface ScriptPolicy {
  createScriptURL(url: string): string;
}
interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy;
}

export const serviceWorker = new URL('sw.js', root).href;

/** The URL, if it is a blob of this page or the service worker; throws for any other. */
function ownScript(url: string): string {
  if (url.startsWith('blob:') || url === serviceWorker) return url;
  throw new TypeError(`${url} is not a script of this page`);
}

const rules: ScriptPolicy = { createScriptURL: ownScript };
const factory = (globalThis as { trustedTypes?: PolicyFactory }).trustedTypes;
const policy = factory?.createPolicy('unroll', rules) ?? rules;

/** In a worker: scripts that a library starts by a plain string must be this page's too. */
export const allowOwnScripts = (): void => void factory?.createPolicy('default', rules);

/** The URL as the browser accepts it: a trusted object where it knows Trusted Types, though TypeScript sees a string. */
export const scriptAddress = (url: string): string => policy.createScriptURL(url);

/**
 * Blob URL of a worker's script. A module worker loaded from its own file escapes the page's CSP; one that a blob
 * imports does not. The import is dynamic: in Firefox a static one bypasses the service worker and fails offline.
 */
export function workerSource(url: string, threads = 1): string {
  const from = JSON.stringify(url);
  const source = `self.threads = ${threads}; import(${from}).catch(({ message }) => postMessage({ kind: 'dead', message }));`;
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}
