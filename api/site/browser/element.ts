/** The base of the site's elements: they render into the page itself, so that one style sheet and one outline serve all. */
import { LitElement } from 'lit';

export class SiteElement extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
