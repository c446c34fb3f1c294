/** `npm run ops -- calendar …`: shows the loaded bars per session and releases held sessions. */
import { type Command, Option } from 'commander';
import { releaseSession, selectHeldSessions } from '../../db/market/session-checks.ts';
import { isSession } from '../../engine/market/calendar.ts';
import { formatDay, newYorkDay, requireDay } from '../../engine/market/dates.ts';
import { VENUE_BASES, type VenueBasis } from '../../engine/market/venue-basis.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { type CalendarEntry, readCalendar } from '../../jobs/quality/calendar.ts';
import { CHECKED_VENUE_BASIS } from '../../jobs/quality/check-sessions.ts';
import { act } from './audited-command.ts';
import { dayOption, fail, say, tableOf, withTools } from './tools.ts';

interface ShowOptions {
  readonly start?: string;
  readonly end?: string;
  readonly basis?: VenueBasis;
  readonly problems: boolean;
}

const DEFAULT_DAYS = 30;

function isProblem({ status, rejected, problems }: CalendarEntry): boolean {
  return !['loaded', 'unpublished'].includes(status) || rejected > 0 || problems.length > 0;
}

export function addCalendarCommands(program: Command): void {
  const calendar = program.command('calendar').description('Loaded data by session');
  calendar
    .command('show')
    .description('Show expected, loaded, rejected, and missing rows per session and venue basis')
    .option('--start <day>', 'first day, YYYY-MM-DD; default: 30 days ago', dayOption)
    .option('--end <day>', 'last day, YYYY-MM-DD; default: today', dayOption)
    .addOption(new Option('--basis <basis>', 'only this venue basis').choices([...VENUE_BASES]))
    .option('--problems', 'only sessions with a problem', false)
    .action(({ start, end, basis, problems }: ShowOptions) =>
      withTools(async ({ pool, now }) => {
        const last = end === undefined ? newYorkDay(now()) : requireDay(end);
        const first = start === undefined ? last - DEFAULT_DAYS : requireDay(start);
        if (first > last) return fail(`the range ends (${formatDay(last)}) before it starts (${formatDay(first)})`);
        const days = await readCalendar(pool, first, last, basis);
        if (days.length === 0)
          return say(`no trading session from ${formatDay(first)} to ${formatDay(last)}: the exchange was closed`);
        const rows = days.flatMap(({ day, entries }) =>
          entries
            .filter((entry) => !problems || isProblem(entry))
            .map((e) => [
              ...[formatDay(day), e.venueBasis, e.status, e.expected, e.loaded, e.rejected, e.missing],
              e.problems.join('; ') + (e.releasedBy === null ? '' : ` (released by ${e.releasedBy})`),
            ]),
        );
        const head = ['session', 'basis', 'status', 'expected', 'loaded', 'rejected', 'missing', 'problems'];
        const range = `from ${formatDay(first)} to ${formatDay(last)}`;
        if (rows.length === 0) return say(`no problems ${range}`);
        say(tableOf(head, rows));
        if (problems) say(`all problems ${range}; --start looks further back`);
      }),
    );
  calendar
    .command('release')
    .description('Release a held session to the screener')
    .argument('<day>', 'the session, YYYY-MM-DD', dayOption)
    .action((day: string) =>
      withTools(async (tools) => {
        const session = requireDay(day);
        if (!isSession(session)) return fail(`${day} is not a trading session: the exchange was closed`);
        const held = await selectHeldSessions(tools.pool, CHECKED_VENUE_BASIS);
        if (!held.some((one) => one.day === session)) return fail(`${day} is not held back`);
        const target = { action: 'session.release', target: 'session', targetId: day } as const;
        const done = await act(tools, target, async (connection, _boss, { actor }) => {
          if (await releaseSession(connection, CHECKED_VENUE_BASIS, session, actor)) return true;
          throw new ServiceError('not_found');
        });
        if (done) say(`${day} is released; the snapshot follows within a minute`);
      }),
    );
}
