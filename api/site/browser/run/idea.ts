/** The idea of a measured run in words: its instruments, and by which rule they are held. */
import { ruleWords, universeWords } from '../../run-idea.ts';
import { t } from '../tool-text.ts';
import type { Strategies } from '../types.ts';
import { type AnyResult, strategyWords } from './kind.ts';

export function ideaOfRun(result: AnyResult, strategies: Strategies): string {
  return `${universeWords(result, t)} · ${ruleWords(result, strategyWords(strategies, result), t)}`;
}
