/** The width of an element, for drawings that fit it to the pixel. */
import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Requests an update of its host when the width has changed. */
export class Width implements ReactiveController {
  /** In pixels; 0 before the element is in the page. */
  px = 0;
  private readonly host: ReactiveControllerHost & HTMLElement;
  private readonly observer = new ResizeObserver(([{ contentRect }]) => this.take(contentRect.width));

  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.take(this.host.clientWidth);
    this.observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.observer.disconnect();
  }

  private take(width: number): void {
    const whole = Math.floor(width);
    if (whole === this.px) return;
    this.px = whole;
    this.host.requestUpdate();
  }
}
