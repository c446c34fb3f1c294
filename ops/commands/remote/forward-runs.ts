/** The run of a seal through a session, as the service appends it, on data that is read from the tables of the service. */
import { z } from 'zod';
import type { Client } from '../../../api/clients/typescript/index.ts';
import type { ColumnVersion } from '../../../engine/forward/record.ts';
import type { Day } from '../../../engine/market/dates.ts';
import { qualifiedSymbol } from '../../../engine/market/symbols.ts';
import { required } from '../../../engine/util/values.ts';
import { BACKTEST } from '../../../jobs/backtest/kind.ts';
import type { BacktestSpec, RunSpec, SpecInstrument } from '../../../jobs/contracts/backtest.ts';
import type { ListedSpec } from '../../../jobs/contracts/portfolio.ts';
import type { RotationSpec } from '../../../jobs/contracts/rotation.ts';
import { runThrough } from '../../../jobs/forward/append.ts';
import { PORTFOLIO } from '../../../jobs/portfolio/kind.ts';
import type { PortfolioData } from '../../../jobs/portfolio/prepare.ts';
import { TARGETS } from '../../../jobs/portfolio/targets.ts';
import { ROTATION } from '../../../jobs/rotation/kind.ts';
import { noBarsInRange, type RotationData } from '../../../jobs/rotation/run.ts';
import { Universe } from '../../../jobs/rotation/universe.ts';
import type { History } from '../../../jobs/runs/history.ts';
import type { Failed, MeasuredKind, OpenRun, RunOutcome } from '../../../jobs/runs/kind.ts';
import { rateColumns } from '../../../jobs/runs/rates.ts';
import { specDigest } from '../../../jobs/runs/receipt.ts';
import type { Chain } from './forward-chain.ts';
import { readColumns, type ServedColumns } from './forward-columns.ts';
import { type Form, isMember, readForm, specOf, symbolsOf } from './forward-form.ts';
import { readMarket, type ServedMarket } from './forward-market.ts';

/** The run through a session on versions of its columns, or why there is none. */
type RunAt = (day: Day, versions: readonly ColumnVersion[]) => OpenRun | string | Promise<OpenRun | string>;

/** Everything that is read of a service, and the versions of columns that a session was computed on. */
interface Tables {
  readonly market: ServedMarket;
  readonly columns: ServedColumns;
  readonly versions: readonly ColumnVersion[];
}

const versionsSchema = z.array(z.object({ name: z.string(), version: z.int() }));

export async function runsOf(client: Client, { seal }: Chain): Promise<RunAt> {
  const form = readForm(seal.spec);
  if (form === null) return () => 'its specification is of a kind that this version does not know';
  const named = symbolsOf(form);
  const market = await readMarket(client, (symbol, one) => named.has(symbol) || isMember(form, one));
  const missing = [...named].filter((symbol) => !market.instruments.has(symbol));
  if (missing.length > 0) return () => `the tables do not have ${missing.join(', ')}`;
  const versionOf = new Map(versionsSchema.parse(seal.columns).map(({ name, version }) => [name, version]));
  const sealed = (form.columns ?? []).map(({ name, sha256 }) => {
    return { name, sha256, version: required(versionOf.get(name), name) };
  });
  const columns = await readColumns(client, sealed);
  return runsOn(form, seal, { market, columns });
}

function runsOn(form: Form, seal: Chain['seal'], tables: Omit<Tables, 'versions'>): RunAt {
  const fields = specOf(form, tables.market.instruments);
  const runs = <Spec extends RunSpec, Data extends object, Outcome extends RunOutcome>(
    kind: MeasuredKind<Spec, Data, Outcome>,
    read: (tables: Tables, spec: Spec) => Data | Failed | Promise<Data | Failed>,
  ): RunAt => {
    const spec = kind.spec.parse(fields);
    const isSealed = specDigest(kind.canonical(spec, String(seal.engine_version))) === seal.spec_sha256;
    if (!isSealed) return () => 'its specification has another digest in this version';
    return async (day, versions) => {
      const problem = tables.columns.problemOf(versions);
      if (problem !== null) return problem;
      const run = await runThrough(kind, spec, day, (through) => read({ ...tables, versions }, through));
      return 'failure' in run ? `its run fails: ${run.failure.code}` : run;
    };
  };
  if (form.kind === 'backtest') return runs(BACKTEST, backtestData);
  if (form.kind === 'rotation') return runs(ROTATION, rotationData);
  return 'targets' in form.allocation ? runs(TARGETS, listedData) : runs(PORTFOLIO, listedData);
}

/** As traded, with its own columns. */
function historyOf({ market, columns, versions }: Tables, symbol: string, day: Day): History {
  const history = market.historyAt(symbol, day);
  if (versions.length === 0) return history;
  return { ...history, series: { ...history.series, own: columns.columnsOf(versions, symbol) } };
}

/** Other instruments that the rules name, and the columns that the rates name. */
function surroundings(tables: Tables, spec: RunSpec): Pick<PortfolioData, 'others' | 'columns'> {
  const each = spec.others?.map(({ ticker }) => {
    return [ticker, historyOf(tables, qualifiedSymbol(ticker), spec.asOf)] as const;
  });
  return {
    others: each && new Map(each),
    columns: rateColumns(spec, tables.columns.columnsOf(tables.versions, null)),
  };
}

function backtestData(tables: Tables, spec: BacktestSpec): History {
  return { ...historyOf(tables, spec.symbol, spec.asOf), ...surroundings(tables, spec) };
}

function listedData(tables: Tables, spec: ListedSpec): PortfolioData {
  const memberOf = ({ symbol, listedOn, delistedOn }: SpecInstrument) => {
    const { assetType, primaryVenue } = required(tables.market.instruments.get(symbol), symbol);
    const groups = spec.rules && { asset_type: assetType, venue: primaryVenue };
    const lifetime = { listedOn, delistedOn };
    return { symbol, asOf: spec.asOf, ...historyOf(tables, symbol, spec.asOf), lifetime, groups };
  };
  return {
    members: spec.instruments.map(memberOf),
    single: spec.benchmark && memberOf(spec.benchmark),
    ...surroundings(tables, spec),
  };
}

async function rotationData(tables: Tables, spec: RotationSpec): Promise<RotationData | Failed> {
  const { asOf, benchmark } = spec;
  const instruments = [...tables.market.instruments.values()];
  const symbolOf = new Map([...tables.market.instruments].map(([symbol, { id }]) => [id, symbol]));
  const universe = await Universe.of(spec, {
    instruments,
    historyOf: (id) => historyOf(tables, required(symbolOf.get(id), 'a symbol'), asOf),
    own: tables.versions.length === 0 ? undefined : tables.columns.columnsOf(tables.versions, null),
  });
  if (universe === null) return noBarsInRange(spec);
  const single = benchmark && {
    ...tables.market.historyAt(benchmark.symbol, asOf),
    asOf,
    lifetime: { listedOn: benchmark.listedOn, delistedOn: benchmark.delistedOn },
    digest: '',
  };
  return { universe, ...surroundings(tables, spec), single };
}
