/** Stored tear sheets in the language of the caller: only the verdict has texts. */

import type { Sentence } from '../../engine/tear-sheet/sentence.ts';
import { type Choice, choiceOf } from '../../engine/tear-sheet/skill-sentences.ts';
import { withChoice } from '../../engine/tear-sheet/verdict.ts';
import { joinVerdict, splitVerdict } from '../../jobs/contracts/tear-sheet.ts';
import { JsonText } from '../http/answer/reply.ts';
import type { Locale } from '../http/language/locale.ts';
import { verdictText } from './verdict-texts.ts';

/** `sheet`: JSON text, which is not parsed but for its verdict. `choice`: what the account had tried. */
export function tearSheetView(sheet: string, locale: Locale, choice: Choice | null): JsonText {
  const { figures, verdict } = splitVerdict(sheet);
  const { sentences }: { readonly sentences: readonly Sentence[] } = JSON.parse(verdict);
  const worded = withChoice(sentences, choice ? choiceOf(choice) : []).map((sentence) => ({
    key: sentence.key,
    text: verdictText(sentence, locale),
    figures: sentence.figures,
  }));
  return new JsonText(joinVerdict(figures, { sentences: worded }));
}
