/** The outcomes of a condition on a service. */
import { type Command, Option } from 'commander';
import { type BodyOf, type Client, JobFailed, type Schema } from '../../../api/clients/typescript/index.ts';
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

type Verification = Schema<'Verification'>;

/** The job is awaited where it takes longer than the call. */
async function verify(client: Client, outcomes_id: number): Promise<Verification> {
  const answer = await client.call('verifyOutcomes', { path: { outcomes_id } });
  if (!('job_id' in answer)) return answer;
  for (;;) {
    const path = { job_id: answer.job_id };
    const { result, error } = await client.call('getVerificationJob', { path, query: { wait: 30 } });
    if (result !== null) return result;
    if (error !== null) throw new JobFailed(answer.job_id, error);
  }
}

function verificationText({ verdict, reasons, bars, events, metrics }: Verification): string {
  const head = [verdict, ...reasons.filter((reason) => reason !== verdict)].join(', ');
  const changed = metrics.filter(({ was, is }) => was !== is).map(({ name, was, is }) => [name, was, is]);
  const revised = [
    ...bars.items.map(({ symbol, date }) => [symbol, date, 'bar']),
    ...events.items.map(({ symbol, ex_date }) => [symbol, ex_date, 'event']),
  ];
  return [
    head,
    ...(changed.length > 0 ? [table(['figure', 'was', 'is'], changed)] : []),
    ...(revised.length > 0 ? [table(['symbol', 'day', 'changed'], revised)] : []),
  ].join('\n');
}

const HEAD = ['id', 'condition', 'from', 'to', 'hits', 'days', 'mean %', 'excess %'];

function addKeptCommands(group: Command, connect: () => Client): void {
  group
    .command('list')
    .description('List kept outcomes, newest first, with their figures at the longest horizon')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const query = { kind: 'outcomes', page_size: Math.min(limit, 100) } as const;
      show(command, await connect().call('listBacktests', { query }), ({ items }) =>
        table(
          HEAD,
          items.flatMap((item) => {
            if (item.kind !== 'outcomes') return [];
            const { id, idea, start_date, end_date, hits, days, mean, excess } = item;
            return [[String(id), idea, start_date, end_date, hits, days, percent(mean), percent(excess)]];
          }),
        ),
      );
    });
  group
    .command('show <id>')
    .description('Show kept outcomes')
    .action(async (id: string, _options, command: Command) => {
      const path = { outcomes_id: Number(id) };
      show(command, await connect().call('getOutcomes', { path }), outcomesText);
    });
  group
    .command('verify <id>')
    .description('Compute kept outcomes again, and show what has changed')
    .action(async (id: string, _options, command: Command) => {
      show(command, await verify(connect(), Number(id)), verificationText);
    });
  group
    .command('share <id>')
    .description('Share kept outcomes by a link')
    .option('--revoke', 'the link ends')
    .action(async (id: string, { revoke = false }: { revoke?: boolean }, command: Command) => {
      const path = { outcomes_id: Number(id) };
      const link = await connect().call('shareOutcomes', { path, body: { shared: !revoke } });
      show(command, link, ({ url }) => url ?? 'not shared');
    });
}

export function addOutcomeCommand(program: Command, connect: () => Client): void {
  const group = program
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
  addKeptCommands(group, connect);
}
