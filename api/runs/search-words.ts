/** The words with which an account searches its kept runs and its sweeps: `strategy:rsi luma >0 2026-05 best`. */
import type { RunWord } from '../../db/run-words.ts';
import { z } from '../http/input/fields.ts';

export const wordsField = z.string().max(120).optional();

const NAMED = /^(kind|strategy|tag):(.+)$/i;
const NAMES = ['kind', 'strategy', 'tag'] as const;
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
    const place = NAMES.find((name) => name === named?.[1].toLowerCase());
    if (named && place) return { in: place, text: named[2] };
    return { in: 'any', text: word };
  });
}
