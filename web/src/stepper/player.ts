// Play: one operation after another, at a pace that can be followed.
const INTERVAL = 700;

export class Player {
  private timer = 0;

  /** `advance` steps once and says whether there is more to come. */
  constructor(
    private readonly advance: () => boolean,
    private readonly changed: () => void,
  ) {}

  get playing(): boolean {
    return this.timer !== 0;
  }

  play(): void {
    if (this.playing) return;
    this.timer = window.setInterval(() => this.tick(), INTERVAL);
    this.tick();
  }

  pause(): void {
    clearInterval(this.timer);
    this.timer = 0;
    this.changed();
  }

  private tick(): void {
    if (!this.advance()) this.pause();
  }
}
