/** The market as a whole. */
import type { Caller, OperationOptions } from './caller.ts';
import type { QueryOf } from './types.ts';

export function wholeMarketMethods(caller: Caller) {
  const { call } = caller;
  return {
    /** Sessions, half days, and holidays; default: 90 days from today. */
    calendar: (query: QueryOf<'getCalendar'> = {}, given?: OperationOptions) => call('getCalendar', { query }, given),
    /** Every bar of a session, as traded. */
    session: (date: string, given?: OperationOptions) => call('getSession', { path: { date } }, given),
    /** The same as a stream of Arrow. */
    sessionArrow: (date: string, given: OperationOptions = {}): Promise<Uint8Array> =>
      caller.open('getSession', { path: { date } }, async (response) => new Uint8Array(await response.arrayBuffer()), {
        ...given,
        headers: { ...given.headers, Accept: 'application/vnd.apache.arrow.stream' },
      }),
    /** Splits, dividends, and spin-offs of all instruments, oldest first, in pages. */
    marketEvents: (query: QueryOf<'listMarketEvents'> = {}, given?: OperationOptions) =>
      call('listMarketEvents', { query }, given),
    /** Listings, delistings, and new symbols and names, oldest first, in pages. */
    symbolChanges: (query: QueryOf<'listSymbolChanges'> = {}, given?: OperationOptions) =>
      call('listSymbolChanges', { query }, given),
  };
}
