/** The outcomes of a condition on a service. */
import { type Command, Option } from 'commander';
import type { BodyOf, Client, Schema } from '../../../api/clients/typescript/index.ts';
import { countOption, dayOption } from '../tools.ts';
import { show, table } from './output.ts';

type Body = BodyOf<'runOutcomes'>;

interface OutcomeOptions extends Pick<Body, 'for' | 'by' | 'horizons' | 'entry' | 'compare' | 'start' | 'end'> {
  readonly symbols?: readonly string[];
  readonly where?: string;
  readonly range?: Body['time_range'];
}

const listOption = (text: string) => text.split(',').map((one) => one.trim());
const countsOption = (text: string) => listOption(text).map((one) => countOption(one));

function bodyOf(condition: string, { symbols, where, range, ...rest }: OutcomeOptions): Body {
  const stocks = where === undefined ? undefined : ({ all: true, asset_type: 'stock', where } as const);
  return {
    ...rest,
    condition,
    universe: symbols === undefined ? stocks : { symbols, where },
    time_range: range,
  };
}

const percent = (share: number | null = null) => (share === null ? null : 100 * share);

function outcomesText({ first, last, hits, days, instruments, sentences, horizons }: Schema<'Outcomes'>): string {
  const [found, members] = [hits.toLocaleString('en'), instruments.toLocaleString('en')];
  const rows = horizons.map((one) => {
    const { mean, others, t, p } = one.excess ?? {};
    return [one.horizon, one.hits, percent(one.mean), percent(others), percent(mean), t, p];
  });
  const head = `${first} to ${last}, ${found} hits on ${days} days, ${members} instruments`;
  return `${[head, ...sentences].join('\n')}\n${table(['horizon', 'hits', 'mean %', 'others %', 'excess %', 't', 'p'], rows)}`;
}

export function addOutcomeCommand(program: Command, connect: () => Client): void {
  program
    .command('outcomes <condition>')
    .description('Show what happened after a condition was true, beside the others on the same days')
    .option('--for <list>', 'symbols whose hits count, with commas between; default: all members', listOption)
    .option('--symbols <list>', 'the members; default: all stocks', listOption)
    .option('--where <condition>', 'who is a member at a session, in the rule language')
    .option('--by <condition>', "tells hits apart, such as of('SPY', close > sma(200))")
    .option('--horizons <list>', 'sessions after a hit; default: 1,5,20', countsOption)
    .addOption(new Option('--entry <entry>', 'where returns begin').choices(['close', 'next_open']))
    .addOption(new Option('--compare <compare>', 'what they stand beside').choices(['same_day', 'own', 'none']))
    .option('--range <range>', 'length of the range up to now, such as 3Y')
    .option('--start <day>', 'first day, YYYY-MM-DD', dayOption)
    .option('--end <day>', 'last day, YYYY-MM-DD', dayOption)
    .action(async (condition: string, options: OutcomeOptions, command: Command) => {
      show(command, await connect().outcomes(bodyOf(condition, options)), outcomesText);
    });
}
