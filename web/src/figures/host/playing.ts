// Plays a figure whose cells are positions: goes to one after the other, and pauses at the last.
import { Player } from '../../lab/cursor/player';
import { type LabElement, whileConnected } from '../../ui/lab-element';

interface Played extends LabElement {
  /** The position on show. */
  at: number;
}

export class Playing {
  readonly #player = new Player(
    () => this.#step(),
    () => this.host.requestUpdate(),
  );

  constructor(
    private readonly host: Played,
    private readonly last: () => number,
    private readonly go: (at: number) => void,
  ) {
    whileConnected(host, () => () => this.#player.pause());
  }

  get isOn(): boolean {
    return this.#player.playing;
  }

  toggle(): void {
    if (this.isOn) return this.#player.pause();
    this.host.lab.pause(); // one thing moves the bench at a time
    if (this.host.at === this.last()) this.go(0);
    this.#player.play();
    this.host.requestUpdate();
  }

  /** False at the end. */
  #step(): boolean {
    this.go(this.host.at + 1);
    return this.host.at < this.last();
  }
}
