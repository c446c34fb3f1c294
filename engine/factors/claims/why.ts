/** Why a figure of ours is not the published one: reasons by rule, and how near the two are. */
import type { Claim } from './claims.ts';
import { periodOf } from './rows.ts';

/** In the order of telling. */
export const WHY_CODES = [
  'no_common_month',
  'definition_near',
  'regression_slope',
  'alpha_not_return',
  'event_study',
  'weights',
  'breakpoints',
  'holding',
  'market_is_ours',
  'universe',
  'no_small_caps',
  'survivors',
  'no_delisting_returns',
  'share_kinds',
  'volume_basis',
  'gross',
  'late_start',
] as const;
export type WhyCode = (typeof WHY_CODES)[number];

/** With one of these the figure is another one than that of the paper. */
const OF_FIGURE: readonly WhyCode[] = WHY_CODES.slice(0, WHY_CODES.indexOf('universe'));

export type Why =
  | { readonly code: Exclude<WhyCode, 'universe'> }
  | { readonly code: 'universe'; readonly names: number; readonly published: string };

/** The market of a run of claims. */
export interface ClaimMarket {
  /** Mean number of names of a formation. */
  readonly names: number;
  /** Mean share of them that are microcaps. */
  readonly microShare: number;
  /** Delisted instruments whose last bar lies before the last session, and those of them whose return of the delisting is known. */
  readonly ended: number;
  readonly endedWithReturn: number;
  /** Instruments × years. */
  readonly memberYears: number;
  /** Whether all instruments are stocks. */
  readonly isStocksOnly: boolean;
  /** Whether volumes of the range are partly of one venue and partly of all. */
  readonly spansVolumeBases: boolean;
  /** `YYYY-MM` of the first month that a portfolio can be held in. */
  readonly firstMonth: string;
}

/** A market of all sizes has more microcaps than this. */
const FEW_MICROCAPS = 0.05;
/** Fewer instruments than this share end in a year where the survivors were chosen. */
const FEW_ENDED = 0.01;
/** Classes that `cuts` or the expression make as the paper did. */
const PLAIN_SORT = /^(deciles|fifths|sevenths|thirds|two classes|corners)/;

/** `months`: of return, as `YYYY-MM`, oldest first. */
export function reasonsFor(claim: Claim, months: readonly string[], market: ClaimMarket): Why[] {
  const { kind, expression } = claim;
  const isSort = kind === 'return' || kind === 'alpha';
  const applies: Readonly<Record<WhyCode, boolean>> = {
    no_common_month: !months.some((month) => periodOf(month, claim) === 'in_sample'),
    definition_near: claim.differs !== null,
    regression_slope: kind === 'slope',
    alpha_not_return: kind === 'alpha',
    event_study: kind === 'event',
    weights: claim.weights !== 'equal',
    breakpoints: isSort && (claim.stocks !== 'all stocks' || !PLAIN_SORT.test(claim.sort)),
    holding: claim.every > 1,
    market_is_ours: expression.includes("'@market'"),
    universe: true,
    no_small_caps: market.microShare < FEW_MICROCAPS,
    survivors: market.ended / market.memberYears < FEW_ENDED,
    no_delisting_returns: market.ended > 0 && market.endedWithReturn === 0,
    share_kinds: !market.isStocksOnly || claim.stocks.startsWith('common shares'),
    volume_basis: market.spansVolumeBases && /volume/.test(expression),
    gross: true,
    late_start: months[0] !== market.firstMonth,
  };
  return WHY_CODES.filter((code) => applies[code]).map((code) =>
    code === 'universe' ? { code, names: market.names, published: claim.stocks } : { code },
  );
}

/** A: the figure is that of the paper; B: only its definition is; C: neither. */
export function gradeOf(reasons: readonly Pick<Why, 'code'>[]): 'A' | 'B' | 'C' {
  if (!reasons.some(({ code }) => OF_FIGURE.includes(code))) return 'A';
  return reasons.some(({ code }) => code === 'definition_near') ? 'C' : 'B';
}
