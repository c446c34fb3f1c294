/** The rules of verdicts, as the text of a page: when each sentence stands in a tear sheet, and what it says. */

import { SENTENCE_KEYS } from '../../engine/tear-sheet/sentence.ts';
import type { Locale } from '../http/language/locale.ts';
import { verdictPattern } from '../runs/verdict-texts.ts';
import { calibrationText, readCalibration } from './calibration.ts';
import { table } from './markdown-table.ts';
import { siteText } from './texts/catalogue.ts';

/** In Markdown. */
export async function verdictsText(locale: Locale): Promise<string> {
  const head = [siteText('verdicts.when', locale), siteText('verdicts.sentence', locale)];
  const rows = SENTENCE_KEYS.map((key) => [siteText(`verdict.${key}`, locale), verdictPattern(key, locale)]);
  const calibration = calibrationText(await readCalibration(), locale);
  return `${siteText('verdicts.about', locale)}\n\n${table(head, new Set(), rows)}\n\n${calibration}\n`;
}
