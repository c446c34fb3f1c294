/** The forward records of a service: sealed, listed, and verified on this machine. */
import { type Command, InvalidArgumentError } from 'commander';
import { ApiError, type Client, type ItemOf } from '../../../api/clients/typescript/index.ts';
import { countOption } from '../tools.ts';
import { brokenLink, type Chain } from './forward-chain.ts';
import { computedAgain, type Recomputed } from './forward-recompute.ts';
import { show, table } from './output.ts';

type Listed = ItemOf<'listForwardRecords'>;
type Detail = Awaited<ReturnType<Client['forwardRecord']>>;

/** An id of the account's own records, or the slug of a shared one. */
const recordArgument = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : text);

function digestOption(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new InvalidArgumentError('expected 64 hex digits');
}

const gainPct = (growth: number | undefined) => (growth === undefined ? null : 100 * (growth - 1));

const HEAD = ['name', 'status', 'sealed', 'sessions', 'growth %', 'market %', 'of 100', 'shrinkage'];

function cellsOf({ name, status, sealed_at, sessions, live }: Omit<Listed, 'id' | 'shared'>) {
  const { growth, market, place, shrinkage } = live ?? {};
  return [name, status, sealed_at.slice(0, 10), sessions, gainPct(growth), gainPct(market), place?.rank, shrinkage];
}

function recordText(record: Detail): string {
  return [...record.sentences, table(HEAD, [cellsOf(record)]), `head ${record.head}`].join('\n');
}

async function chainOf(client: Client, slug: number | string): Promise<Chain> {
  const record = await client.forwardRecord(slug);
  // Read after the record: an entry that was appended in between is none that the record misses.
  const entries = await Array.fromAsync(client.forwardEntries(slug));
  return { ...record, entries };
}

/** Why nothing was computed, where it was not. */
async function computedOrReason(client: Client, chain: Chain): Promise<Recomputed | string> {
  try {
    return await computedAgain(client, chain);
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

function computedText(computed: Recomputed | string): string {
  if (typeof computed === 'string') return `not computed again: ${computed}`;
  const { sessions, different, left_out } = computed;
  const cell = (figure: object | number) => (typeof figure === 'number' ? figure : JSON.stringify(figure));
  const rows = different.map(({ session, figure, told, now }) => [session, figure, cell(told), cell(now)]);
  const all = sessions === 0 ? '' : ': all is as told';
  const differing = `, of which differ:\n${table(['session', 'figure', 'told', 'now'], rows)}`;
  const left = left_out.map(({ session, reason }) => `\n${session} was not computed again: ${reason}`);
  return [`${sessions} sessions computed again`, rows.length === 0 ? all : differing, ...left].join('');
}

function addVerification(group: Command, connect: () => Client): void {
  group
    .command('verify')
    .description('Compute the digests of a record again, one after another, and what it told from the tables')
    .argument('<record>', 'the slug of a shared record, or an id', recordArgument)
    .option('--kept <sha256>', 'a digest that was kept earlier, and must be in the chain', digestOption)
    .action(async (record: number | string, { kept }: { kept?: string }, command: Command) => {
      const client = connect();
      const chain = await chainOf(client, record);
      const broken = brokenLink(chain, kept);
      const computed = broken === null ? await computedOrReason(client, chain) : null;
      const { head, entries } = chain;
      show(command, { head, entries: entries.length, broken, computed }, () =>
        computed === null
          ? `broken: ${broken}`
          : `the seal and ${entries.length} entries hold, through ${head}\n${computedText(computed)}`,
      );
      if (computed === null || (typeof computed === 'object' && computed.different.length > 0)) process.exitCode = 1;
    });
}

export function addForwardCommands(program: Command, connect: () => Client): void {
  const group = program.command('forward').description('Sealed runs, which go on after each load');
  group
    .command('list')
    .description('List the forward records of the account, newest first')
    .option('--limit <n>', 'how many', countOption, 20)
    .action(async ({ limit }: { limit: number }, command: Command) => {
      const page = await connect().call('listForwardRecords', { query: { size: Math.min(limit, 100) } });
      show(command, page, ({ items }) =>
        table(
          ['id', ...HEAD],
          items.map((one) => [String(one.id), ...cellsOf(one)]),
        ),
      );
    });
  group
    .command('show')
    .description('Show a record beside what its seal predicts')
    .argument('<record>', 'its id, or the slug of a shared one', recordArgument)
    .action(async (record: number | string, _options, command: Command) =>
      show(command, await connect().forwardRecord(record), recordText),
    );
  group
    .command('seal')
    .description('Seal a kept run, which goes on from here')
    .addArgument(program.createArgument('<kind>').choices(['backtest', 'portfolio']))
    .argument('<id>', 'of the kept run', Number)
    .option('--name <name>', 'default: that of the run')
    .action(async (kind: 'backtest' | 'portfolio', id: number, { name }: { name?: string }, command: Command) => {
      const sealed = await connect().seal({ run: { kind, id }, name });
      show(command, sealed, (record) => `sealed as ${record.id}\n${recordText(record)}`);
    });
  addVerification(group, connect);
}
