/** Prompts for assistants: how a task is done well with the tools. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from '../http/input/fields.ts';
import type { Data } from './data.ts';

const word = z.string().max(500);

interface Prompt {
  readonly name: string;
  readonly description: string;
  readonly argsSchema: z.ZodObject;
  readonly steps: (given: Data) => string;
}

const PROMPTS: readonly Prompt[] = [
  {
    name: 'judge_strategy',
    description: 'Judge a strategy on an instrument',
    argsSchema: z.object({ symbol: word, strategy: word }),
    steps: ({ symbol, strategy }: Data) =>
      `Judge the strategy "${strategy}" on ${symbol}. Find its parameters with find (in strategies), or write it as rules (find in docs, ` +
      '"RULES/Values"). Run it once with costs over at least five years (run, kind backtest), beside the usual ones (kind compare). Report ' +
      'what it earned beyond holding, the sentences of its judgement whole, how many tries the account has made, and each note. Do not ' +
      'search parameters until something passes: each try lowers the budget and raises the hurdle.',
  },
  {
    name: 'build_rotation',
    description: 'Build a rotation from an idea',
    argsSchema: z.object({ idea: word }),
    steps: ({ idea }: Data) =>
      `Build a rotation from this idea: ${idea}. Write it as a value that ranks (find in functions). First ask whether it orders returns at ` +
      'all (run, kind factors), then hold its best names monthly (kind rotation, with costs, all instruments, a condition on price and ' +
      'volume). Report turnover, the judgement whole, and what remains without the best year (read, part tear_sheet.time.years).',
  },
  {
    name: 'explain_alert',
    description: 'Explain an alert on an instrument',
    argsSchema: z.object({ symbol: word, alert: word }),
    steps: ({ symbol, alert }: Data) =>
      `Explain the alert "${alert}" on ${symbol}. Get its candles around that session (data, candles), say which figures of the rule were met, ` +
      'and what followed such hits before, beside the other names on the same days (run, kind outcomes, for this symbol and for all). Say ' +
      'how sure that is, and that it is no advice.',
  },
];

export function registerPrompts(server: McpServer): void {
  for (const { name, description, argsSchema, steps } of PROMPTS) {
    server.registerPrompt(name, { description, argsSchema }, (given: Data) => ({
      messages: [{ role: 'user', content: { type: 'text', text: steps(given) } }],
    }));
  }
}
