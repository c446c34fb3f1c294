/** The frame of a study on the home page: what it shows, and the link to where it was made. */
import { html } from 'lit';

export interface StudyHead {
  readonly title: string;
  readonly href: string;
  readonly link: string;
}

export function study({ title, href, link }: StudyHead, content: unknown) {
  return html`<article class="study">
    <header><h2>${title}</h2><a href=${href}>${link}</a></header>
    ${content}
  </article>`;
}

/** A figure below a study. */
export const studyFigure = (name: unknown, value: string, tone = '', className = '') =>
  html`<div class=${className}><dt>${name}</dt><dd class=${tone}>${value}</dd></div>`;
