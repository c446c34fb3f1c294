/** The words with which an account searches its kept runs: `strategy:rsi luma >0 2026-05 best`. */
import type { RunWord } from '../../db/runs/kept-runs.ts';

const NAMED = /^(strategy|tag):(.+)$/i;
const CREATED = /^\d{4}-(\d\d|\d\d-\d\d)?$/;
const RETURN = /^([<>])(-?\d{1,9}(?:\.\d{1,9})?)%?$/;

export function searchWords(text: string): RunWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => {
    const bound = RETURN.exec(word);
    if (bound) return { in: 'return', isAbove: bound[1] === '>', pct: Number(bound[2]) };
    if (CREATED.test(word)) return { in: 'created', text: word };
    if (word.toLowerCase() === 'best') return { in: 'best' };
    const named = NAMED.exec(word);
    if (named) return { in: named[1].toLowerCase() === 'tag' ? 'tag' : 'strategy', text: named[2] };
    return { in: 'any', text: word };
  });
}
