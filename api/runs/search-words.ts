/** The words with which an account searches its kept runs: `strategy:rsi luma >0`. */
import type { RunWord } from '../../db/runs/kept-runs.ts';

const NAMED = /^(strategy|tag):(.+)$/i;
const RETURN = /^([<>])(-?\d{1,9}(?:\.\d{1,9})?)%?$/;

export function searchWords(text: string): RunWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.map((word) => {
    const bound = RETURN.exec(word);
    if (bound) return { in: 'return', isAbove: bound[1] === '>', pct: Number(bound[2]) };
    const named = NAMED.exec(word);
    if (named) return { in: named[1].toLowerCase() === 'tag' ? 'tag' : 'strategy', text: named[2] };
    return { in: 'any', text: word };
  });
}
