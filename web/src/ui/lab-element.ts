// Base class of the elements inside a <u-lab>: they know the lab around them, and render again when what they show of it
// changes. And of all elements of the page.
import { LitElement, type PropertyDeclarations, type ReactiveControllerHost } from 'lit';
import { hostOf, type Lab, type Topic } from '../lab/lab';

/** Subscribes each time the element enters the page, and unsubscribes when it leaves. */
export function whileConnected(host: ReactiveControllerHost, subscribe: () => () => unknown): void {
  let stop: (() => unknown) | undefined;
  host.addController({
    hostConnected: () => void (stop = subscribe()),
    hostDisconnected: () => void stop?.(),
  });
}

/** For `whileConnected`: calls back with each new size of the element, or of one of the others. */
export function onResize(element: Element, changed: ResizeObserverCallback, ...others: Element[]): () => void {
  const sizes = new ResizeObserver(changed);
  for (const each of [element, ...others]) sizes.observe(each);
  return () => sizes.disconnect();
}

/** Until part of the element is in the window, made larger on each side by `margin`. */
export const inSight = (element: Element, margin: string): Promise<void> =>
  new Promise((done) => {
    const coming = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        coming.disconnect();
        done();
      },
      { rootMargin: margin },
    );
    coming.observe(element);
  });

/** Declares fields whose changes render the element again, and which are no attributes. */
export const states = (...names: string[]): PropertyDeclarations =>
  Object.fromEntries(names.map((name) => [name, { state: true }]));

/** Renders without a shadow root: the page's style sheets reach what is in it. */
export abstract class PlainElement extends LitElement {
  override createRenderRoot(): HTMLElement {
    return this;
  }
}

export abstract class LabElement extends PlainElement {
  /** Kept from connection on: an update may be due after the element was removed. */
  #lab: Lab | null = null;
  protected readonly onChange = (): void => this.requestUpdate();
  /** What it shows of the lab: a change of it triggers a render. */
  protected abstract readonly topics: readonly Topic[];
  /** Aborted when the element leaves the page. */
  #connection = new AbortController();

  get lab(): Lab {
    return (this.#lab ??= hostOf(this).lab);
  }

  /** An id for an element inside this one, unique on the page. */
  protected idOf(name: string): string {
    return `${this.lab.id}-${name}`;
  }

  override connectedCallback(): void {
    this.#lab = null;
    this.#connection = new AbortController();
    super.connectedCallback();
    this.requestUpdate(); // the lab may have changed while it was detached
    for (const topic of this.topics) this.listen(this.lab, topic, this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#connection.abort();
  }

  /** Listens for as long as the element is on the page. */
  protected listen(target: EventTarget, type: string, listener: (event: Event) => void): void {
    target.addEventListener(type, listener, { signal: this.#connection.signal });
  }
}
