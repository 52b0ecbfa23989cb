// Playback: one step every INTERVAL milliseconds, slow enough to follow.
const INTERVAL = 700;

export class Player {
  #timer = 0;

  /** `advance` steps once and returns whether there is more. */
  constructor(
    private readonly advance: () => boolean,
    private readonly changed: () => void,
  ) {}

  get playing(): boolean {
    return this.#timer !== 0;
  }

  play(): void {
    if (this.playing) return;
    this.#timer = window.setInterval(() => this.#tick(), INTERVAL);
    this.#tick();
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.changed();
  }

  #tick(): void {
    if (!this.advance()) this.pause();
  }
}
