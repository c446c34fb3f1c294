/** Rejected lines of files as they stand there, with the values that they are rejected for in red, and errors of loads. */
import { html } from '../dom.ts';
import { number, textOr } from '../text.ts';
import type { SyncJobFiles } from '../types.ts';

type FileAccount = SyncJobFiles['items'][number];

const DELIMITERS = [',', ';', '\t', '|'] as const;
const PRICES = /open|high|low|close|price/i;
const DAYS = /date|day|time|session/i;
const isPrice = (value: string) => Number(value) > 0 && Number(value) < Infinity;

/** The columns that a fault is of, and which of their values have it; default: all. */
const FAULTS: Readonly<Record<string, readonly [columns: RegExp, isRight?: (value: string) => boolean]>> = {
  bad_price: [PRICES, isPrice],
  implausible_price: [PRICES],
  high_too_low: [/high/i],
  low_too_high: [/low/i],
  bad_volume: [/vol/i],
  bad_date: [DAYS],
  not_a_session: [DAYS],
  unknown_instrument: [/symbol|ticker/i],
};

/** The error of a load: what it could not load, each for itself. */
export const partsOf = (error: string | null): string[] => error?.split(' | ') ?? [];

export const faultName = (reason: string) => textOr(`ops.fault.${reason}`, reason);

export function rejectedLine(
  { path, header, first_line }: Pick<FileAccount, 'path' | 'header' | 'first_line'>,
  { line, text, reason }: FileAccount['rejected_lines'][number],
) {
  const named = header > 0 ? (first_line ?? '') : '';
  return html`<li><span class="mono">${path}:${number(line)}</span> · ${faultName(reason)}
    <code class="rejected-line">${marked(text, named, reason)}</code></li>`;
}

/** The values between their delimiters. */
function marked(text: string, head: string, reason: string) {
  const [columns, isRight = () => false] = FAULTS[reason] ?? [];
  const delimiter = DELIMITERS.find((one) => head.includes(one));
  if (columns === undefined || delimiter === undefined) return text;
  const names = head.split(delimiter);
  return text.split(delimiter).map((value, i) => {
    const isWrong = columns.test(names[i] ?? '') && !isRight(value);
    return html`${i === 0 ? '' : delimiter}${isWrong ? html`<mark>${value || '∅'}</mark>` : value}`;
  });
}
