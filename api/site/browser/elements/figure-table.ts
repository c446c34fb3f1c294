/** A table of runs in columns: figures in sections with the best of each marked, and settings that differ. */
import { html, nothing } from '../dom.ts';
import { t } from '../tool-text.ts';

/** A figure of runs side by side. */
export interface ComparedFigure<Run> {
  readonly name: string;
  readonly value: (run: Run) => number | null;
  readonly write: (value: number | null) => string;
  /** Whether more is better; null: neither is. */
  readonly isMoreBetter: boolean | null;
}

export interface FigureSection<Run> {
  readonly title: string;
  readonly lines: readonly ComparedFigure<Run>[];
}

/** Index of the best of some figures; -1: none is better than the others. */
function bestOf(values: readonly (number | null)[], isMoreBetter: boolean | null): number {
  if (isMoreBetter === null) return -1;
  const known = values.filter((value) => value !== null);
  const best = isMoreBetter ? Math.max(...known) : Math.min(...known);
  return known.filter((value) => value === best).length === 1 ? values.indexOf(best) : -1;
}

/** Runs in columns, with the best of each figure marked. */
export function figureTable<Run>(
  runs: readonly Run[],
  nameOf: (run: Run) => string,
  sections: readonly FigureSection<Run>[],
  settings: readonly { readonly name: string; readonly texts: readonly string[] }[] = [],
) {
  const head = (title: string) =>
    html`<tr class="group"><th scope="rowgroup" colspan=${runs.length + 1}>${title}</th></tr>`;
  return html`<div class="table-scroll" role="region" aria-label=${t('compare.figures')} tabindex="0">
    <table class="side-by-side">
      <caption class="visually-hidden">${t('compare.figures')}</caption>
      <thead>
        <tr><td></td>${runs.map((run, i) => html`<th scope="col" class="number"><span class=${`line line-${i + 1}`}></span> ${nameOf(run)}</th>`)}</tr>
      </thead>
      ${
        settings.length === 0
          ? nothing
          : html`<tbody>
              ${head(t('compare.settings'))}
              ${settings.map(({ name, texts }) => html`<tr><th scope="row">${name}</th>${texts.map((text) => html`<td class="number"><mark>${text}</mark></td>`)}</tr>`)}
            </tbody>`
      }
      ${sections.map(({ title, lines }) => {
        const known = lines.filter(({ value }) => runs.some((run) => value(run) !== null));
        return known.length === 0
          ? nothing
          : html`<tbody>${head(title)} ${known.map((line) => figureRow(line, runs))}</tbody>`;
      })}
    </table>
  </div>`;
}

/** A figure in which the runs are equal is muted: what differs stands out. */
function figureRow<Run>({ name, value, write, isMoreBetter }: ComparedFigure<Run>, runs: readonly Run[]) {
  const values = runs.map(value);
  const best = bestOf(values, isMoreBetter);
  const texts = values.map(write);
  const isSame = new Set(texts).size === 1;
  return html`<tr class=${isSame ? 'muted' : ''}>
    <th scope="row">${name}</th>
    ${texts.map((text, i) => html`<td class="number">${i === best ? html`<b>${text}<span class="visually-hidden"> ${t('optimize.heat.best')}</span></b>` : text}</td>`)}
  </tr>`;
}
