// Written by generate.ts from the interface description. Do not edit.
export interface components {
    schemas: {
        readonly AccountPlan: {
            /** @enum {string} */
            readonly plan: "free" | "pro" | "enterprise";
            /** @enum {string} */
            readonly effective_plan: "guest" | "free" | "pro" | "enterprise";
            readonly plan_expires_at: string | null;
            readonly rate_limits: {
                readonly quote: components["schemas"]["RateLimitState"];
                readonly kline: components["schemas"]["RateLimitState"];
                readonly intraday: components["schemas"]["RateLimitState"];
                readonly static: components["schemas"]["RateLimitState"];
                readonly symbols: components["schemas"]["RateLimitState"];
                readonly batch: components["schemas"]["RateLimitState"];
                readonly backtest: components["schemas"]["RateLimitState"];
                readonly optimize: components["schemas"]["RateLimitState"];
                readonly account: components["schemas"]["RateLimitState"];
            };
            readonly quotas: components["schemas"]["PlanQuotas"];
            readonly usage: {
                readonly api_keys: number;
                readonly backtests_saved: number;
                readonly backtests_running: number;
                readonly watches: number;
            };
        };
        /**
         * @description `split`, or `qfq`: prices on the share count of the last bar. `total`: dividends and spin-offs are reinvested on the ex-date too. `none`: as traded. The benchmark has the same basis
         * @enum {string}
         */
        readonly AdjustMode: "split" | "none" | "total" | "qfq";
        readonly AdminUser: {
            readonly id: number;
            readonly email: string;
            readonly nickname: string | null;
            readonly name: string;
            readonly phone: string | null;
            /** @enum {string} */
            readonly language: "en" | "zh-CN" | "zh-TW";
            /** @enum {string} */
            readonly plan: "free" | "pro" | "enterprise";
            /**
             * @description The plan in force: `free` once the plan has expired
             * @enum {string}
             */
            readonly effective_plan: "guest" | "free" | "pro" | "enterprise";
            /** @description Null: the plan does not expire */
            readonly plan_expires_at: string | null;
            /** @enum {string} */
            readonly status: "active" | "banned" | "disabled";
            readonly is_admin: boolean;
            readonly register_country: string | null;
            readonly register_country_name: string | null;
            readonly last_login_country: string | null;
            readonly last_login_country_name: string | null;
            readonly login_count: number;
            /** Format: date-time */
            readonly created_at: string;
            readonly last_login_at: string | null;
            /** @description Whether it gets a mail when a load changes figures of its runs */
            readonly revision_mail: boolean;
            /** @description The login name of an administrator */
            readonly login: string | null;
            readonly register_ip: string | null;
            readonly last_login_ip: string | null;
            readonly api_key_count: number;
            readonly backtest_count: number;
            readonly calls_30d: number;
        };
        readonly AdminUserDetail: {
            readonly id: number;
            readonly email: string;
            readonly nickname: string | null;
            readonly name: string;
            readonly phone: string | null;
            /** @enum {string} */
            readonly language: "en" | "zh-CN" | "zh-TW";
            /** @enum {string} */
            readonly plan: "free" | "pro" | "enterprise";
            /**
             * @description The plan in force: `free` once the plan has expired
             * @enum {string}
             */
            readonly effective_plan: "guest" | "free" | "pro" | "enterprise";
            /** @description Null: the plan does not expire */
            readonly plan_expires_at: string | null;
            /** @enum {string} */
            readonly status: "active" | "banned" | "disabled";
            readonly is_admin: boolean;
            readonly register_country: string | null;
            readonly register_country_name: string | null;
            readonly last_login_country: string | null;
            readonly last_login_country_name: string | null;
            readonly login_count: number;
            /** Format: date-time */
            readonly created_at: string;
            readonly last_login_at: string | null;
            /** @description Whether it gets a mail when a load changes figures of its runs */
            readonly revision_mail: boolean;
            /** @description The login name of an administrator */
            readonly login: string | null;
            readonly register_ip: string | null;
            readonly last_login_ip: string | null;
            readonly api_key_count: number;
            readonly backtest_count: number;
            readonly calls_30d: number;
            readonly api_keys: readonly components["schemas"]["ApiKey"][];
            /** @description The last 20 */
            readonly backtests: readonly components["schemas"]["BacktestHistoryItem"][];
            /** @description One entry per day, oldest first, including days with 0 */
            readonly calls_trend: readonly {
                /** Format: date */
                readonly date: string;
                readonly value: number;
            }[];
            /** @description The last 20 */
            readonly access_records: readonly {
                /** Format: date-time */
                readonly at: string;
                /** @enum {string} */
                readonly client_kind: "web" | "api" | "sdk" | "mcp" | "skill" | "bot";
                readonly method: string;
                readonly path: string;
                readonly status: number;
                readonly duration_ms: number;
                readonly country: string | null;
            }[];
            /** @description The last 20 registrations and logins */
            readonly login_events: readonly components["schemas"]["LoginEvent"][];
            readonly login_events_total: number;
            readonly login_events_truncated: boolean;
        };
        readonly AdminUserList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["AdminUser"][];
        };
        readonly Allocation: {
            /** @default 10 */
            readonly max_positions?: number | null;
            /**
             * @description `equal`: 1 / max_positions of the equity; `inverse_volatility`: by 1 / volatility, 2 / max_positions at most
             * @default equal
             * @enum {string|null}
             */
            readonly sizing?: "equal" | "inverse_volatility" | null;
            /** @default 63 */
            readonly volatility_period?: number | null;
            /** @description The order in which candidates get free positions: by a field of the screener on the bars of the run, rounded to 6 decimals; undefined values come last, equal ones are ordered by symbol. Default: by symbol */
            readonly rank_by?: components["schemas"]["AllocationRankBy"] | null;
            /**
             * @description Brings positions that deviate by 5% or more back to their targets, on the last session of each period
             * @default none
             * @enum {string|null}
             */
            readonly rebalance?: "none" | "week" | "month" | "quarter" | null;
            /** @default 0 */
            readonly cash_buffer_pct?: number | null;
        };
        readonly AllocationRankBy: {
            readonly field: components["schemas"]["ScreenerField"];
            /** @description Default: the field's; refused for a field that has none */
            readonly period?: number | null;
            /**
             * @default desc
             * @enum {string|null}
             */
            readonly order?: "asc" | "desc" | null;
        };
        readonly ApiKey: {
            readonly id: number;
            readonly name: string;
            /** @description The first 11 characters */
            readonly prefix: string;
            readonly enabled: boolean;
            /** Format: date-time */
            readonly created_at: string;
            readonly last_used_at: string | null;
            readonly scopes: readonly ("read" | "research" | "account")[];
            readonly expires_at: string | null;
            readonly trial_limit: number;
            /** @description That assistants have made of `trial_limit` */
            readonly trials: number;
        };
        readonly ApiKeyList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["ApiKey"][];
        };
        readonly Article: {
            readonly slug: string;
            /** @enum {string} */
            readonly category: "strategy" | "backtest" | "data" | "concept";
            /** @description Of the cover picture; an uploaded one is served here */
            readonly cover_url: string | null;
            readonly tags: readonly string[];
            /**
             * @description The language actually served
             * @enum {string}
             */
            readonly locale: "en" | "zh-CN" | "zh-TW";
            /** @description Languages in which it is published */
            readonly locales: readonly ("en" | "zh-CN" | "zh-TW")[];
            readonly title: string;
            readonly summary: string | null;
            /** Format: date-time */
            readonly published_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description Markdown */
            readonly body_md: string;
            /** @description The same as HTML: only tags of formatted text, without scripts, styles, or images of other hosts; the top headings are `h2` */
            readonly body_html: string;
            /** @description The next newer article of the list */
            readonly prev: {
                readonly slug: string;
                readonly title: string;
                /** @enum {string} */
                readonly locale: "en" | "zh-CN" | "zh-TW";
            } | null;
            /** @description The next older article of the list */
            readonly next: {
                readonly slug: string;
                readonly title: string;
                /** @enum {string} */
                readonly locale: "en" | "zh-CN" | "zh-TW";
            } | null;
        };
        readonly ArticleGroup: {
            readonly slug: string;
            /** @enum {string} */
            readonly category: "strategy" | "backtest" | "data" | "concept";
            /** @description Of the cover picture; an uploaded one is served here */
            readonly cover_url: string | null;
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            readonly contents: {
                readonly en: {
                    readonly title: string | null;
                    /** @enum {string} */
                    readonly status: "draft" | "published";
                    /** @description The time of the first publication, also after the text has become a draft again */
                    readonly published_at: string | null;
                    /** Format: date-time */
                    readonly updated_at: string;
                    readonly summary: string | null;
                    readonly body_md: string | null;
                };
                readonly "zh-CN": {
                    readonly title: string | null;
                    /** @enum {string} */
                    readonly status: "draft" | "published";
                    /** @description The time of the first publication, also after the text has become a draft again */
                    readonly published_at: string | null;
                    /** Format: date-time */
                    readonly updated_at: string;
                    readonly summary: string | null;
                    readonly body_md: string | null;
                };
                readonly "zh-TW": {
                    readonly title: string | null;
                    /** @enum {string} */
                    readonly status: "draft" | "published";
                    /** @description The time of the first publication, also after the text has become a draft again */
                    readonly published_at: string | null;
                    /** Format: date-time */
                    readonly updated_at: string;
                    readonly summary: string | null;
                    readonly body_md: string | null;
                };
            };
        };
        readonly ArticleGroupItem: {
            readonly slug: string;
            /** @enum {string} */
            readonly category: "strategy" | "backtest" | "data" | "concept";
            /** @description Of the cover picture; an uploaded one is served here */
            readonly cover_url: string | null;
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            readonly contents: {
                readonly en: {
                    readonly title: string | null;
                    /** @enum {string} */
                    readonly status: "draft" | "published";
                    /** @description The time of the first publication, also after the text has become a draft again */
                    readonly published_at: string | null;
                    /** Format: date-time */
                    readonly updated_at: string;
                };
                readonly "zh-CN": {
                    readonly title: string | null;
                    /** @enum {string} */
                    readonly status: "draft" | "published";
                    /** @description The time of the first publication, also after the text has become a draft again */
                    readonly published_at: string | null;
                    /** Format: date-time */
                    readonly updated_at: string;
                };
                readonly "zh-TW": {
                    readonly title: string | null;
                    /** @enum {string} */
                    readonly status: "draft" | "published";
                    /** @description The time of the first publication, also after the text has become a draft again */
                    readonly published_at: string | null;
                    /** Format: date-time */
                    readonly updated_at: string;
                };
            };
        };
        readonly ArticleGroupItemList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["ArticleGroupItem"][];
        };
        readonly ArticleItem: {
            readonly slug: string;
            /** @enum {string} */
            readonly category: "strategy" | "backtest" | "data" | "concept";
            /** @description Of the cover picture; an uploaded one is served here */
            readonly cover_url: string | null;
            readonly tags: readonly string[];
            /**
             * @description The language actually served
             * @enum {string}
             */
            readonly locale: "en" | "zh-CN" | "zh-TW";
            /** @description Languages in which it is published */
            readonly locales: readonly ("en" | "zh-CN" | "zh-TW")[];
            readonly title: string;
            readonly summary: string | null;
            /** Format: date-time */
            readonly published_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly ArticleItemList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["ArticleItem"][];
        };
        readonly AssistantGrant: {
            readonly id: number;
            readonly client_id: string;
            /** @description As the client calls itself */
            readonly name: string;
            readonly scopes: readonly ("read" | "research" | "account")[];
            /** Format: date-time */
            readonly created_at: string;
            readonly last_used_at: string | null;
            readonly trial_limit: number;
            /** @description That the assistant has made of `trial_limit` */
            readonly trials: number;
        };
        readonly AssistantGrantList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["AssistantGrant"][];
        };
        readonly AuditEntry: {
            readonly id: number;
            /** Format: date-time */
            readonly at: string;
            /** @description Null after the account was deleted */
            readonly actor_id: number | null;
            readonly actor_email: string | null;
            readonly action: string;
            readonly target_type: string;
            readonly target_id: string | null;
            /** @enum {string} */
            readonly result: "ok" | "failed";
            readonly details: {
                readonly [key: string]: unknown;
            };
            readonly request_id: string | null;
        };
        readonly AuditEntryList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["AuditEntry"][];
        };
        readonly AuditVocabulary: {
            readonly actions: readonly string[];
            readonly target_types: readonly string[];
        };
        readonly BacktestDataRange: {
            /** Format: date */
            readonly actual_start: string;
            /** Format: date */
            readonly actual_end: string;
            readonly bars: number;
            /**
             * @description What the prices of its instruments are before `adjust`; absent: they are gone
             * @enum {string}
             */
            readonly prices?: "as_traded" | "split_adjusted" | "total_adjusted" | "unknown" | "mixed";
            /** @description Whether the bars begin or end within the requested range */
            readonly truncated: boolean;
            /** @description Why it is truncated. `not_loaded`: sessions at one end of the range are missing */
            readonly reason_codes?: readonly ("before_listing" | "before_data_start" | "after_delisting" | "after_data_end" | "not_loaded")[];
            /** @description One localized text per reason */
            readonly hints?: readonly string[];
            readonly missing_sessions?: components["schemas"]["MissingSessions"];
            /** @description Loaded sessions between the first and the last bar in which the instrument has no bar. Absent, like `missing_sessions`, in results of older versions */
            readonly missing_bars?: number;
        };
        readonly BacktestExample: {
            readonly neighbors: components["schemas"]["NeighborsOfBacktest"];
            readonly result: components["schemas"]["BacktestResult"];
        };
        readonly BacktestHistoryItem: {
            /** @constant */
            readonly kind: "backtest";
            readonly symbol: string;
            readonly id: number;
            /** @description The name that its owner gave it */
            readonly name: string | null;
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly created_at: string;
            /** @description The entry of own rules, the score of a rotation, or the condition of outcomes; else null */
            readonly idea: string | null;
            readonly shared: boolean;
            readonly slug: string | null;
            readonly verification: components["schemas"]["LastVerdict"] | null;
            /** @description The equity at equal steps, as multiples of the first; null in what was kept by an earlier version */
            readonly line: readonly number[] | null;
            /** @description 1 − `statistics.skill.psr`: the probability of no gain beyond the market */
            readonly luck: number | null;
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            readonly strategy: string;
            readonly engine_version: string;
            /** Format: date */
            readonly start_date: string;
            /** Format: date */
            readonly end_date: string;
            readonly num_trades: number;
            readonly win_rate: number | null;
            readonly total_pnl_pct: number;
            readonly annualized_pct: number | null;
            readonly max_drawdown_pct: number;
            readonly sharpe: number | null;
            readonly profit_factor: number | null;
            readonly buy_hold_pnl_pct: number;
            readonly excess_return_pct: number;
        } | {
            /** @constant */
            readonly kind: "portfolio";
            readonly symbols_count: number;
            readonly id: number;
            /** @description The name that its owner gave it */
            readonly name: string | null;
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly created_at: string;
            /** @description The entry of own rules, the score of a rotation, or the condition of outcomes; else null */
            readonly idea: string | null;
            readonly shared: boolean;
            readonly slug: string | null;
            readonly verification: components["schemas"]["LastVerdict"] | null;
            /** @description The equity at equal steps, as multiples of the first; null in what was kept by an earlier version */
            readonly line: readonly number[] | null;
            /** @description 1 − `statistics.skill.psr`: the probability of no gain beyond the market */
            readonly luck: number | null;
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            readonly strategy: string;
            readonly engine_version: string;
            /** Format: date */
            readonly start_date: string;
            /** Format: date */
            readonly end_date: string;
            readonly num_trades: number;
            readonly win_rate: number | null;
            readonly total_pnl_pct: number;
            readonly annualized_pct: number | null;
            readonly max_drawdown_pct: number;
            readonly sharpe: number | null;
            readonly profit_factor: number | null;
            readonly buy_hold_pnl_pct: number;
            readonly excess_return_pct: number;
        } | {
            /** @constant */
            readonly kind: "outcomes";
            readonly id: number;
            /** @description The name that its owner gave it */
            readonly name: string | null;
            readonly tags: readonly string[];
            /** Format: date-time */
            readonly created_at: string;
            /** @description The entry of own rules, the score of a rotation, or the condition of outcomes; else null */
            readonly idea: string | null;
            readonly shared: boolean;
            readonly slug: string | null;
            readonly verification: components["schemas"]["LastVerdict"] | null;
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            /** Format: date */
            readonly start_date: string;
            /** Format: date */
            readonly end_date: string;
            readonly engine_version: string;
            readonly hits: number;
            /** @description Sessions with a hit */
            readonly days: number;
            readonly instruments: number;
            /** @description The longest, of which `mean` and `excess` are */
            readonly horizon: number;
            readonly mean: number | null;
            readonly excess: number | null;
        };
        readonly BacktestHistoryItemList: {
            readonly total: number;
            readonly page: number;
            readonly page_size: number;
            readonly items: readonly components["schemas"]["BacktestHistoryItem"][];
        };
        readonly BacktestJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly location: string;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
        };
        /** @description `incomplete_history`: sessions in the range are not loaded, and the result omits them. `missing_bars`: the instrument has no bar in more than 2% of the loaded sessions */
        readonly BacktestNote: {
            /** @enum {string} */
            readonly code: "no_cost_model" | "mixed_session_source" | "incomplete_history" | "missing_bars" | "survivorship" | "point_in_time" | "price_return" | "few_trades" | "short_track_record" | "groups_as_of_today" | "volume_basis_changes" | "line_ended" | "weights_undefined" | "filter_undefined" | "exhausted" | "figures_overflow" | "prices_jump_at_split" | "spin_off_counted_as_loss" | "capacity" | "delisting_price" | "levels_as_adjusted" | "risk_free_gaps" | "cash_rate_gaps" | "factor_undefined" | "data_suspect" | "cut_by_plan";
            /** @enum {string} */
            readonly level: "info" | "warning";
            readonly message: string;
            /** @description The facts in the text, by name */
            readonly details?: {
                readonly [key: string]: string | number | boolean | null | readonly string[] | readonly {
                    readonly [key: string]: string;
                }[];
            };
        };
        readonly BacktestResult: {
            /** @description Null when the result is not kept */
            readonly id: number | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly symbol: string;
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            readonly strategy: string;
            readonly engine_version: string;
            /** @description Of the strategy `rules` */
            readonly rules?: components["schemas"]["Rules"];
            readonly saved?: components["schemas"]["SavedStrategyReference"];
            readonly venue_mode: string;
            readonly adjust: string;
            /** Format: date */
            readonly start_date: string;
            /** Format: date */
            readonly end_date: string;
            readonly num_trades: number;
            readonly win_rate: number | null;
            readonly total_pnl_pct: number;
            readonly annualized_pct: number | null;
            readonly max_drawdown_pct: number;
            readonly sharpe: number | null;
            readonly profit_factor: number | null;
            readonly buy_hold_pnl_pct: number;
            readonly excess_return_pct: number;
            readonly max_drawdown_days: number;
            readonly sortino: number | null;
            readonly calmar: number | null;
            readonly exposure_pct: number;
            readonly avg_trade_pct: number | null;
            readonly best_trade_pct: number | null;
            readonly worst_trade_pct: number | null;
            readonly avg_bars_held: number | null;
            readonly final_equity: number;
            readonly params: components["schemas"]["StrategyParams"];
            /** @description Own columns that the rules name */
            readonly columns?: readonly components["schemas"]["UsedColumn"][];
            readonly cost: components["schemas"]["RunCost"];
            /** @description The column that was named */
            readonly risk_free?: string;
            readonly cash?: {
                readonly rate: number | string;
                readonly spread_bps: number;
            };
            readonly interest?: components["schemas"]["Interest"];
            readonly data_range: components["schemas"]["BacktestDataRange"];
            readonly data_freshness: {
                readonly distribution_mode: string;
                readonly as_of: string | null;
                readonly delayed: boolean;
            };
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            readonly statistics?: components["schemas"]["RunStatistics"];
            readonly selection?: components["schemas"]["RunSelection"];
            /** @description Absent in results kept before there were receipts */
            readonly receipt?: components["schemas"]["Receipt"];
            readonly verification?: components["schemas"]["LastVerdict"];
            readonly look_ahead?: components["schemas"]["LookAheadReport"];
            readonly revised?: components["schemas"]["Revised"];
            readonly disclaimer: string;
            /** @description Whether an earlier run computed the figures over the same data */
            readonly cached: boolean;
            readonly trades?: readonly components["schemas"]["BacktestTrade"][];
            readonly klines?: readonly {
                /** Format: date */
                readonly ts: string;
                readonly open: number;
                readonly high: number;
                readonly low: number;
                readonly close: number;
                readonly volume: number;
            }[];
            readonly equity?: readonly {
                /** Format: date */
                readonly ts: string;
                readonly equity: number;
                readonly drawdown_pct: number;
                readonly buy_hold: number;
            }[];
            /** @description Only if the request asked for it, and of a shared run if it is kept */
            readonly tear_sheet?: components["schemas"]["TearSheet"];
            /**
             * @description The long arrays are cut off, each after a whole row, because they have more bytes than `result_bytes_max` of the plan. The header `X-Truncated: true` and the note `cut_by_plan` say so too; a kept result can be exported in full as CSV.
             * @constant
             */
            readonly truncated?: true;
        };
        /** @description Prices are fill prices, slippage included, adjusted as the run is */
        readonly BacktestTrade: {
            readonly seq: number;
            /** Format: date */
            readonly entry_date: string;
            readonly entry_price: number;
            /** Format: date */
            readonly exit_date: string;
            readonly exit_price: number;
            readonly shares: number;
            readonly pnl: number;
            readonly pnl_pct: number;
            readonly bars_held: number;
            readonly commission: number;
            readonly mae_pct: number;
            readonly mfe_pct: number;
            /** @constant */
            readonly entry_reason: "signal";
            /** @enum {string} */
            readonly exit_reason: "trailing_stop" | "signal" | "stop_loss" | "take_profit" | "time_stop" | "end_of_data" | "delisted";
        };
        readonly BarDifference: {
            readonly symbol: string;
            /** Format: date */
            readonly date: string;
            /** @enum {string} */
            readonly kind: "differs" | "only_here" | "only_there";
            readonly here: {
                readonly open: number;
                readonly high: number;
                readonly low: number;
                readonly close: number;
                readonly volume: number;
            } | null;
            readonly there: {
                readonly open: number;
                readonly high: number;
                readonly low: number;
                readonly close: number;
                readonly volume: number;
            } | null;
            readonly price_pct: number | null;
            readonly volume_pct: number | null;
        };
        readonly BarDifferenceList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["BarDifference"][];
        };
        readonly Batch: {
            /** @enum {string} */
            readonly type: "quote" | "static" | "kline";
            readonly requested: number;
            readonly succeeded: number;
            readonly failed: number;
            /** @enum {string} */
            readonly distribution_mode: "eod_only" | "delayed" | "realtime";
            /** @description Requested symbol (`<TICKER>.US`) → the answer of the single-symbol endpoint */
            readonly results: {
                readonly [key: string]: components["schemas"]["Quote"] | components["schemas"]["StaticInfo"] | components["schemas"]["Candles"];
            };
            readonly errors: readonly {
                readonly symbol: string;
                readonly code: number;
                readonly message: string;
            }[];
        };
        readonly Calendar: {
            /** Format: date-time */
            readonly now: string;
            /**
             * Format: date-time
             * @description The next opening bell, with UTC offset
             */
            readonly next_open: string;
            readonly sessions: readonly {
                /** Format: date */
                readonly date: string;
                /** Format: date-time */
                readonly open: string;
                /** Format: date-time */
                readonly close: string;
                readonly half_day: boolean;
            }[];
            /** @description Days other than Saturdays and Sundays without a session; names are English */
            readonly holidays: readonly {
                /** Format: date */
                readonly date: string;
                readonly name: string;
            }[];
        };
        readonly Candles: {
            readonly symbol: string;
            readonly name: string;
            /** @enum {string} */
            readonly market: "US" | "HK" | "CN";
            readonly currency: string;
            /** @enum {string} */
            readonly period: "day" | "week" | "month";
            /** @enum {string} */
            readonly adjust: "none" | "qfq" | "total";
            readonly adjust_applied: boolean;
            /** @enum {string} */
            readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
            /** @description The venue basis in the negotiated language */
            readonly venue_mode_label: string;
            readonly delayed: boolean;
            readonly as_of: string | null;
            readonly timeliness: components["schemas"]["Timeliness"];
            readonly start: string | null;
            readonly end: string | null;
            /** @description Whether the plan has cut off bars of the requested range */
            readonly limited_by_plan: boolean;
            readonly data_range: {
                /**
                 * @description What the prices are before `adjust`. But for those as traded, no event is applied to them
                 * @enum {string}
                 */
                readonly prices: "as_traded" | "split_adjusted" | "total_adjusted" | "unknown";
                /** @description The `start` of the call; null if there was none */
                readonly requested_start: string | null;
                /** @description The day of the first returned bar; null if there is none */
                readonly actual_start: string | null;
                /** @description Whether the history begins after `start`, or its first sessions are not loaded */
                readonly truncated: boolean;
                readonly reason_codes: readonly ("before_listing" | "before_data_start" | "after_delisting" | "after_data_end" | "not_loaded")[];
                /** @description One localized text per reason */
                readonly hints: readonly string[];
            };
            readonly missing_sessions: components["schemas"]["MissingSessions"];
            /** @description `older_bars_in_backtests`: older bars exist on the primary-session basis, which backtests use and candles do not. `incomplete_history`: see `missing_sessions`; the message says when a load is filling them */
            readonly notes: readonly ({
                /** @enum {string} */
                readonly code: "older_bars_in_backtests" | "incomplete_history";
                /** @enum {string} */
                readonly level: "info" | "warning";
                readonly message: string;
            } | components["schemas"]["SuspectNote"])[];
            readonly first_bar_partial: boolean;
            readonly last_bar_partial: boolean;
            readonly count: number;
            readonly bars: readonly {
                /** Format: date */
                readonly ts: string;
                /** @description In the currency of the instrument */
                readonly open: number;
                /** @description In the currency of the instrument */
                readonly high: number;
                /** @description In the currency of the instrument */
                readonly low: number;
                /** @description In the currency of the instrument */
                readonly close: number;
                /** @description Shares */
                readonly volume: number;
            }[];
        };
        /** @description What cash held overnight earns. Default: nothing */
        readonly CashRate: {
            /** @description Percent a year, or the name of a market column */
            readonly rate: number | string;
            /** @description Basis points below the rate. Default: 50 of a column, else 0 */
            readonly spread_bps?: number;
        };
        /** @description What cash held overnight earns. Default: nothing */
        readonly CashRateInput: {
            /** @description Percent a year, or the name of a market column */
            readonly rate: number | string;
            /** @description Basis points below the rate. Default: 50 of a column, else 0 */
            readonly spread_bps?: number | null;
        };
        readonly Claim: {
            readonly code: string;
            readonly name: string;
            readonly authors: string;
            readonly year: number;
            readonly journal: string;
            readonly sample: {
                readonly start: number;
                readonly end: number;
            };
            readonly published: {
                readonly monthly_pct: number | null;
                readonly t: number | null;
                readonly cell: string;
            };
            readonly definition: string;
            readonly differs: string | null;
            /** @description Its sign is that of the claim */
            readonly expression: string;
            readonly cuts: number | readonly number[] | string;
            readonly hold: number;
            /** @description Own columns */
            readonly needs: readonly string[];
            readonly runnable: boolean;
            readonly missing: readonly string[];
            readonly grade: ("A" | "B" | "C") | null;
            readonly why: readonly components["schemas"]["ClaimReason"][] | null;
            /** @description In the months of this market; null: not computed */
            readonly newest: {
                readonly rows: readonly components["schemas"]["ClaimRow"][];
                /** @description Of the first row */
                readonly words: string | null;
                readonly word: string | null;
                /** @description 0.42 × published: what is left after publication */
                readonly expected_pct: number | null;
                /** @description Of 100 histories this long, how many would show what is expected */
                readonly power: number | null;
            } | null;
        };
        readonly ClaimReason: {
            /** @enum {string} */
            readonly code: "no_common_month" | "definition_near" | "regression_slope" | "alpha_not_return" | "event_study" | "weights" | "breakpoints" | "holding" | "market_is_ours" | "universe" | "no_small_caps" | "survivors" | "no_delisting_returns" | "share_kinds" | "volume_basis" | "gross" | "late_start";
            readonly names?: number;
            readonly published?: string;
        };
        readonly ClaimRow: {
            readonly weights: string;
            readonly breakpoints: string;
            /** @description Whether microcaps take part */
            readonly micro: boolean;
            readonly months: number;
            /** @description A month */
            readonly mean_pct: number | null;
            readonly t_nw: number | null;
            /** @description 90 % */
            readonly interval_pct: readonly (number | null)[] | null;
            readonly turnover: number | null;
            readonly break_even_bps: number | null;
            /** @description Formations without two sides of ten names */
            readonly undefined: number;
            readonly periods: readonly {
                readonly period: string;
                readonly months: number;
                readonly mean_pct: number | null;
                readonly t_nw: number | null;
                readonly interval_pct: readonly (number | null)[] | null;
            }[];
        };
        readonly Claims: {
            readonly items: readonly components["schemas"]["Claim"][];
            readonly universe: {
                readonly instruments: number;
                readonly first: string | null;
                readonly last: string | null;
            } | null;
            readonly overall: {
                readonly tested: number;
                /** @description Whose t is above 1.645; of 100 by chance, 5 are */
                readonly above: number;
                /** @description Above 0 in all tests together (StepM) */
                readonly superior: readonly string[] | null;
            } | null;
        };
        readonly ClaimsJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["ClaimsResult"] | null;
        };
        readonly ClaimsResult: {
            readonly items: readonly {
                readonly code: string;
                readonly rows: readonly components["schemas"]["ClaimRow"][];
                /** @description Of the first row */
                readonly words: string | null;
                readonly word: string | null;
                /** @description 0.42 × published: what is left after publication */
                readonly expected_pct: number | null;
                /** @description Of 100 histories this long, how many would show what is expected */
                readonly power: number | null;
                /** @enum {string} */
                readonly grade: "A" | "B" | "C";
                readonly why: readonly components["schemas"]["ClaimReason"][];
                readonly series: readonly components["schemas"]["LongShortMonth"][];
            }[];
            readonly universe: {
                readonly instruments: number;
                readonly first: string | null;
                readonly last: string | null;
            };
            readonly overall: {
                readonly tested: number;
                /** @description Whose t is above 1.645; of 100 by chance, 5 are */
                readonly above: number;
                /** @description Above 0 in all tests together (StepM) */
                readonly superior: readonly string[] | null;
            } | null;
        };
        readonly ClientStats: {
            readonly days: number;
            readonly items: readonly components["schemas"]["ClientVisits"][];
        };
        readonly ClientVisits: {
            /** @enum {string} */
            readonly kind: "web" | "api" | "sdk" | "mcp" | "skill" | "bot";
            /** @description Requests of every kind, page views included */
            readonly visits: number;
            /** @description Visitors without `X-Visitor-Id` are distinguished by a hash of IP address and User-Agent */
            readonly unique_visitors: number;
            /** @description Signed-in accounts */
            readonly unique_users: number;
            readonly top_paths: readonly {
                readonly path: string;
                readonly visits: number;
            }[];
        };
        readonly Column: {
            readonly name: string;
            /** @enum {string} */
            readonly owner: "account" | "everyone";
            /** @enum {string} */
            readonly kind: "number" | "label";
            readonly market: boolean;
            /** @enum {string} */
            readonly dimension: "none" | "shares" | "price" | "money";
            readonly unit: string | null;
            /** @enum {string} */
            readonly about: "value" | "later";
            /** @enum {string} */
            readonly day_means: "after_close" | "before_close";
            readonly lag: number;
            readonly stale_after: number | null;
            readonly version: number;
            readonly rows: number;
            readonly symbols: number;
            readonly first_day: string | null;
            readonly last_day: string | null;
            /** @description Share of rows known more than a session after `date` */
            readonly known_late_share: number | null;
            readonly sha256: string;
            /** Format: date-time */
            readonly loaded_at: string;
            readonly source: string | null;
            readonly license: string | null;
            readonly labels: readonly string[];
            readonly versions: readonly {
                readonly version: number;
                readonly rows: number;
                readonly sha256: string;
                /** Format: date-time */
                readonly loaded_at: string;
            }[];
            readonly coverage: readonly {
                readonly year: number;
                readonly rows: number;
                readonly symbols: number;
            }[];
        };
        readonly ColumnJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly progress_pct: number;
            readonly result: components["schemas"]["WrittenColumn"] | null;
        };
        readonly ColumnRows: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly {
                readonly symbol: string | null;
                /** Format: date */
                readonly date: string;
                /** @description A day, or a time in New York */
                readonly known_at: string;
                /**
                 * Format: date
                 * @description The session at whose close it is seen first
                 */
                readonly seen: string;
                /** @description Null: it ends here */
                readonly value: number | string | null;
            }[];
        };
        /** @description With `compare`, in its order */
        readonly ComparedPortfolios: {
            readonly runs: readonly {
                readonly name: string;
                readonly result: components["schemas"]["PortfolioResult"];
            }[];
        };
        readonly Comparison: {
            readonly id: number;
            readonly against: string;
            /** @enum {string} */
            readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
            /** Format: date */
            readonly start: string;
            /** Format: date */
            readonly end: string;
            readonly tolerance_pct: number;
            readonly volume_tolerance_pct: number;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "canceled";
            readonly progress_pct: number;
            /** Format: uuid */
            readonly job_id: string;
            readonly requested_by: string;
            /** Format: date-time */
            readonly requested_at: string;
            readonly finished_at: string | null;
            readonly error: string | null;
            readonly result: {
                readonly compared: number;
                readonly sessions: number;
                readonly differences: {
                    readonly differs: number;
                    readonly only_here: number;
                    readonly only_there: number;
                };
                readonly sessions_only_here: number;
                readonly sessions_only_there: number;
                readonly unread: readonly {
                    readonly unit: string;
                    readonly error: string;
                }[];
                readonly unknown_rows: number;
                readonly unknown_tickers: readonly string[];
                readonly malformed_rows: number;
                readonly bytes: number;
            } | null;
        };
        readonly ComparisonList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Comparison"][];
            /** @description Providers to compare with */
            readonly providers: readonly ("sample" | "files" | "databento" | "massive" | "tiingo" | "eodhd")[];
        };
        /** @description Default: no costs, with the note `no_cost_model` */
        readonly Cost: {
            /** @default 0 */
            readonly commission_rate?: number;
            /** @default 0 */
            readonly min_commission?: number;
            /** @default 0 */
            readonly slippage_bps?: number;
        };
        /** @description Default: no costs, with the note `no_cost_model` */
        readonly CostInput: {
            /** @default 0 */
            readonly commission_rate?: number | null;
            /** @default 0 */
            readonly min_commission?: number | null;
            /** @default 0 */
            readonly slippage_bps?: number | null;
        };
        readonly Coverage: {
            readonly items: readonly {
                /** @enum {string} */
                readonly market: "US" | "HK" | "CN";
                /** @enum {string} */
                readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
                /** @description Symbols with at least one daily bar */
                readonly symbols: number;
                readonly rows: number;
                readonly first_date: string | null;
                readonly last_date: string | null;
                /** @description Symbols with at least 250 daily bars */
                readonly symbols_250: number;
            }[];
            /** Format: date-time */
            readonly generated_at: string;
            readonly cached: boolean;
        };
        readonly CreateApiKeyRequest: {
            readonly name: string;
            /** @description Reading, runs, changes of what the account keeps. Default: all */
            readonly scopes?: readonly ("read" | "research" | "account")[] | null;
            /** @description When the key ends; null: never */
            readonly expires_at?: string | null;
            /** @description Trials of assistants. Default: 1,000 */
            readonly trial_limit?: number | null;
        };
        readonly CreateArticleRequest: {
            readonly slug: string;
            /** @enum {string} */
            readonly category: "strategy" | "backtest" | "data" | "concept";
            /** @default null */
            readonly cover_url?: string | null;
            /** @default [] */
            readonly tags?: readonly string[] | null;
            readonly contents: {
                readonly en?: components["schemas"]["CreateArticleRequestContentsEn"] | null;
                readonly "zh-CN"?: components["schemas"]["CreateArticleRequestContentsZh-CN"] | null;
                readonly "zh-TW"?: components["schemas"]["CreateArticleRequestContentsZh-TW"] | null;
            };
        };
        readonly CreateArticleRequestContentsEn: {
            readonly title?: string | null;
            readonly summary?: string | null;
            readonly body_md?: string | null;
        };
        readonly "CreateArticleRequestContentsZh-CN": {
            readonly title?: string | null;
            readonly summary?: string | null;
            readonly body_md?: string | null;
        };
        readonly "CreateArticleRequestContentsZh-TW": {
            readonly title?: string | null;
            readonly summary?: string | null;
            readonly body_md?: string | null;
        };
        readonly CreateComparisonRequest: {
            /** @enum {string} */
            readonly against: "sample" | "files" | "databento" | "massive" | "tiingo" | "eodhd";
            /**
             * @default consolidated
             * @enum {string|null}
             */
            readonly venue_mode?: "consolidated" | "single_venue" | "primary_session" | null;
            /** Format: date */
            readonly start: string;
            /** Format: date */
            readonly end: string;
            /** @default 0.01 */
            readonly tolerance_pct?: number | null;
            /** @default 1 */
            readonly volume_tolerance_pct?: number | null;
        };
        readonly CreateDrawingRequest: {
            readonly shape: {
                /** @constant */
                readonly kind: "line";
                readonly points: readonly [
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    },
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    }
                ];
                /**
                 * @description Plain text beside the drawing
                 * @default
                 */
                readonly note?: string;
            } | {
                /** @constant */
                readonly kind: "level";
                readonly points: readonly [
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    }
                ];
                /**
                 * @description Plain text beside the drawing
                 * @default
                 */
                readonly note?: string;
            } | {
                /** @constant */
                readonly kind: "range";
                readonly points: readonly [
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    },
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    }
                ];
                /**
                 * @description Plain text beside the drawing
                 * @default
                 */
                readonly note?: string;
            };
        };
        readonly CreateExportRequest: {
            /** @description Default: the whole market */
            readonly symbols?: readonly string[] | null;
            readonly asset_type?: string | null;
            /** Format: date */
            readonly start: string;
            /**
             * Format: date
             * @description Days that may not be distributed yet are left out
             */
            readonly end: string;
            /**
             * @default consolidated
             * @enum {string|null}
             */
            readonly venue_mode?: "consolidated" | "single_venue" | "primary_session" | null;
            /**
             * @default none
             * @enum {string|null}
             */
            readonly adjust?: "none" | "qfq" | "total" | "split" | null;
            /**
             * @default csv
             * @enum {string|null}
             */
            readonly format?: "csv" | "csv.gz" | "parquet" | null;
        };
        readonly CreateGrantData: {
            /** @description Where the browser goes next */
            readonly location: string;
        };
        readonly CreateGrantRequest: {
            readonly allowed: boolean;
            /** @description At most those requested. Default: all of them */
            readonly scopes?: readonly ("read" | "research" | "account")[] | null;
            /** @default 1000 */
            readonly trial_limit?: number | null;
        };
        readonly CreateOwnStrategyRequest: {
            /** @description Unique in the account */
            readonly name: string;
            /** @default  */
            readonly description?: string | null;
            readonly rules: components["schemas"]["RulesInput"];
            /** @description The defaults of the `$names` in the rules. A run must set those without one */
            readonly parameters?: {
                readonly [key: string]: components["schemas"]["SavedParameterInput"];
            } | null;
        };
        readonly CreateSyncJobRequest: {
            /** @enum {string} */
            readonly job_type: "symbols" | "adjustments" | "daily_bars";
            /** Format: date */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
            readonly symbols?: readonly string[] | null;
            /**
             * @description Default: all venue bases
             * @enum {string|null}
             */
            readonly venue_mode?: "consolidated" | "single_venue" | "primary_session" | null;
        };
        readonly CreateTestDeliveryData: {
            /** Format: uuid */
            readonly id: string;
        };
        readonly CreateVisitData: {
            /** @constant */
            readonly recorded: true;
        };
        readonly CreateVisitRequest: {
            readonly path: string & (unknown & unknown);
            readonly referrer?: string | null;
        };
        readonly CreateWatchRequest: {
            /** @description Unique in the account */
            readonly name: string;
            /** @description `rules` with `rules`, or a built-in strategy. A `screen` without one is watched itself: who newly passes is an entry, who no longer does an exit, 500 at most. Not with `portfolio` */
            readonly strategy?: components["schemas"]["StrategyCode"] | null;
            /** @description A strategy of `/v1/my/strategies`; without `version`, always the newest */
            readonly rules?: components["schemas"]["CreateWatchRequestRules"] | null;
            readonly params?: {
                readonly [key: string]: unknown;
            } | null;
            /** @description One of `symbols`, `screen`, and `portfolio` is required */
            readonly symbols?: readonly string[] | null;
            /** @description The first 500 instruments, by symbol, for which the condition holds at the session */
            readonly screen?: components["schemas"]["CreateWatchRequestScreen"] | null;
            /** @description A kept rotation, watched from its first session on: at each rebalance its purchases are entries and its sales exits, with the new `weight` and the `change` as shares of the equity */
            readonly portfolio?: number | null;
            /**
             * @description Whether its signals are in the daily mail
             * @default false
             */
            readonly mail?: boolean | null;
        };
        readonly CreateWatchRequestRules: {
            readonly saved: number;
            readonly version?: number | null;
        };
        readonly CreateWatchRequestScreen: {
            /** @description A condition of the language of rules, at the last bar of the whole history */
            readonly where: string;
            /** @description Default: stock and etf. An asset type that no instrument has is refused */
            readonly asset_type?: string | readonly string[] | null;
            /** @description Instead of `asset_type`: these instruments only, which rules then compare with each other */
            readonly symbols?: readonly string[] | null;
        };
        readonly CreateWebhookRequest: {
            /** @description An https address on the public internet. At most 5 per account */
            readonly url: string;
            /** @description `export.done` is for administrators */
            readonly events: readonly ("backtest.finished" | "portfolio.finished" | "sweep.finished" | "signals.ready" | "forward.sealed" | "forward.appended" | "data.loaded" | "run.revised" | "export.done")[];
        };
        readonly DataCalendar: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly {
                /** Format: date */
                readonly date: string;
                readonly early_close: boolean;
                readonly venue_modes: readonly {
                    /** @enum {string} */
                    readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
                    /** @enum {string} */
                    readonly status: "loaded" | "held" | "partial" | "empty" | "missing" | "unpublished";
                    /** @description The rows of the previous loaded session */
                    readonly expected: number | null;
                    readonly loaded: number;
                    readonly rejected: number;
                    readonly missing: number;
                    /** @description Why the session is or was held back from the screener */
                    readonly problems: readonly string[];
                    readonly released_by: string | null;
                    readonly loaded_at: string | null;
                }[];
            }[];
        };
        readonly DataExport: {
            /** @enum {string} */
            readonly status: "pending" | "running" | "done" | "failed";
            readonly progress_pct: number;
            /** @description Files in the archive */
            readonly files: number | null;
            readonly bytes: number | null;
            readonly checksum_sha256: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly finished_at: string | null;
            /**
             * Format: date-time
             * @description When the archive is removed
             */
            readonly expires_at: string;
        };
        readonly DataFinding: {
            readonly id: number;
            readonly symbol: string;
            /** @enum {string} */
            readonly kind: "contradicted" | "split_suspected" | "hole";
            /**
             * Format: date
             * @description Ex-date, day of the jump, or first session without a bar
             */
            readonly date: string;
            /** @description `event`, `factor` (of a jump: of the split that it looks like), `move_pct` from the close before, `adjusted_move_pct`; of a hole `sessions` and the next day with a bar, `until` */
            readonly details: {
                readonly [key: string]: string | number;
            };
            /** @enum {string} */
            readonly status: "open" | "confirmed" | "ignored" | "mended";
            /** @description Written instead */
            readonly event: {
                /** @enum {string} */
                readonly kind: "split" | "reverse_split" | "stock_dividend" | "cash_dividend" | "spin_off";
                /** Format: date */
                readonly ex_date: string;
                readonly factor: number;
            } | null;
            /** Format: date-time */
            readonly found_at: string;
            readonly decided_at: string | null;
            readonly decided_by: string | null;
            /** @description Five before the date, five from it on, as traded */
            readonly bars: readonly {
                /** Format: date */
                readonly date: string;
                readonly open: number;
                readonly high: number;
                readonly low: number;
                readonly close: number;
                readonly volume: number;
            }[];
        };
        readonly DataFindingList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["DataFinding"][];
        };
        readonly DeleteAccountData: {
            /** @constant */
            readonly deleted: true;
        };
        readonly DeleteAccountRequest: {
            /** Format: email */
            readonly email: string;
        };
        readonly Drawing: {
            readonly id: number;
            readonly shape: {
                /** @constant */
                readonly kind: "line";
                readonly points: readonly [
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    },
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    }
                ];
                /**
                 * @description Plain text beside the drawing
                 * @default
                 */
                readonly note: string;
            } | {
                /** @constant */
                readonly kind: "level";
                readonly points: readonly [
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    }
                ];
                /**
                 * @description Plain text beside the drawing
                 * @default
                 */
                readonly note: string;
            } | {
                /** @constant */
                readonly kind: "range";
                readonly points: readonly [
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    },
                    {
                        /** Format: date */
                        readonly date: string;
                        /** @description On the share count of today */
                        readonly price: number;
                    }
                ];
                /**
                 * @description Plain text beside the drawing
                 * @default
                 */
                readonly note: string;
            };
        };
        readonly DrawingList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Drawing"][];
        };
        readonly EventStream: string;
        /** @description Through the newest bar, oldest first */
        readonly Events: {
            readonly symbol: string;
            readonly name: string;
            /** @enum {string} */
            readonly market: "US" | "HK" | "CN";
            readonly currency: string;
            readonly count: number;
            readonly events: readonly {
                /** @enum {string} */
                readonly kind: "split" | "reverse_split" | "stock_dividend" | "cash_dividend" | "spin_off";
                /** Format: date */
                readonly ex_date: string;
                /** @description Prices before the ex-date are multiplied by it */
                readonly factor: number;
                /** @description Of a cash dividend, per share: the previous close × (1 − factor). Null for other kinds, and if there is no previous bar */
                readonly amount: number | null;
            }[];
        };
        readonly ExplainedBar: {
            readonly symbol: string;
            readonly name: string;
            readonly market: string;
            readonly currency: string;
            /** Format: date */
            readonly date: string;
            readonly rows: readonly {
                /** @enum {string} */
                readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
                /** @description Whether backtests read this row */
                readonly in_backtests: boolean;
                readonly bar: components["schemas"]["RevisedBar"];
                /** @description The newest load that wrote or confirmed it; null: not recorded at that time */
                readonly loaded_by: {
                    readonly sync_job_id: number;
                    /** Format: date-time */
                    readonly at: string;
                    readonly sources: readonly components["schemas"]["SourceFile"][];
                } | null;
                readonly revisions: readonly {
                    readonly was: components["schemas"]["RevisedBar"] | null;
                    readonly is: components["schemas"]["RevisedBar"] | null;
                    readonly sync_job_id: number | null;
                    /** Format: date-time */
                    readonly at: string;
                }[];
            }[];
            /** @description After the date; their factors adjust its prices */
            readonly events: readonly components["schemas"]["RevisedEvent"][];
            readonly price_factor: {
                readonly split: number;
                readonly total: number;
            };
        };
        readonly Export: {
            readonly id: number;
            /** @enum {string} */
            readonly status: "pending" | "running" | "done" | "failed";
            readonly owner: {
                readonly id: number;
                readonly email: string;
            };
            readonly request: {
                readonly [key: string]: unknown;
            };
            readonly progress_pct: number;
            readonly rows: number | null;
            readonly bytes: number | null;
            /** @description SHA-256 of the file, in hexadecimal digits */
            readonly checksum_sha256: string | null;
            readonly error: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
            /**
             * Format: date-time
             * @description When the file is removed; the record stays
             */
            readonly expires_at: string;
        };
        readonly ExportList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Export"][];
        };
        readonly FactorStudy: {
            /** Format: uuid */
            readonly id: string;
            /**
             * @description `queued`: another sweep or study of the account runs. A canceled one no longer exists
             * @enum {string}
             */
            readonly status: "queued" | "running" | "done" | "failed";
            readonly progress_pct: number;
            readonly cells: {
                readonly done: number;
                readonly total: number;
            };
            /** @description Over the last minute; null where no chunk ended in it */
            readonly cells_per_second: number | null;
            /** @description All cells are computed, and the result is put together */
            readonly assembling: boolean;
            /** @description Null while it is assembled */
            readonly seconds_left: number | null;
            readonly chunks: {
                readonly done: number;
                readonly total: number;
                readonly running: number;
            };
            /** @description Worker processes that compute chunks of it now */
            readonly workers: number;
            /** @description On its figures, once it is done */
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            /** Format: date-time */
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
            readonly error: components["schemas"]["RunError"] | null;
            /** @description CPU seconds that its cells have used so far */
            readonly worker_seconds: number;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            /** @description Names */
            readonly factors: readonly string[];
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            /** @description Symbols that were not found and skipped because of `skip_unknown`, the first 100 of them; absent if there are none */
            readonly skipped_symbols?: {
                readonly count: number;
                readonly symbols: readonly string[];
            };
        };
        readonly FactorStudyList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["FactorStudy"][];
        };
        readonly FactorStudyResult: {
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            /** Format: uuid */
            readonly id: string;
            readonly engine_version: string;
            /** @description That are looked at */
            readonly sessions: number;
            /** Format: date */
            readonly first: string;
            /** Format: date */
            readonly last: string;
            /** @description All sessions of the range */
            readonly clock: number;
            readonly instruments: number;
            /** @description Delisted before the last session */
            readonly ended: number;
            /** @description Whether the series are too long for here: `series.parquet` has them */
            readonly series_in_file: boolean;
            readonly factors: readonly {
                readonly name: string;
                readonly value: string;
                readonly coverage: {
                    readonly mean_names: number | null;
                    readonly mean_share: number | null;
                };
                readonly rank_autocorrelation: number | null;
                /** @description Share of new names, by quantile */
                readonly turnover: readonly (number | null)[];
                readonly top: readonly {
                    readonly symbol: string;
                    readonly value: number | null;
                }[];
                readonly horizons: readonly {
                    readonly horizon: number | "step";
                    /** @description Information coefficient: the rank correlation of values and forward returns at each session */
                    readonly ic: {
                        readonly sessions: number;
                        readonly mean: number | null;
                        readonly sd: number | null;
                        /** @description As if horizons did not overlap */
                        readonly t: number | null;
                        /** @description With the covariances of overlapping horizons (Hansen & Hodrick 1980) */
                        readonly t_overlap: number | null;
                        readonly positive_share: number | null;
                        readonly by_year: readonly {
                            readonly year: number;
                            readonly sessions: number;
                            readonly mean: number | null;
                        }[];
                        readonly series?: readonly {
                            /** Format: date */
                            readonly ts: string;
                            readonly ic: number | null;
                        }[];
                    };
                    /** @description Mean forward returns less the mean of the group, 1 has the smallest values */
                    readonly quantiles: readonly {
                        readonly quantile: number;
                        readonly sessions: number;
                        readonly mean: number | null;
                        readonly se: number | null;
                    }[];
                    readonly spread: {
                        readonly sessions: number;
                        readonly mean: number | null;
                        readonly sd: number | null;
                        /** @description As if horizons did not overlap */
                        readonly t: number | null;
                        /** @description With the covariances of overlapping horizons (Hansen & Hodrick 1980) */
                        readonly t_overlap: number | null;
                        /** @description `cumulated` is a running sum, which nobody could earn where a horizon is longer than a step */
                        readonly series?: readonly {
                            /** Format: date */
                            readonly ts: string;
                            readonly spread: number | null;
                            readonly cumulated: number | null;
                        }[];
                    };
                }[];
                readonly portfolio?: components["schemas"]["LongShort"];
            }[];
            readonly correlations: readonly {
                readonly a: string;
                readonly b: string;
                readonly months: number;
                readonly mean: number | null;
            }[];
            /** @description The choice of the best: null below 60 sessions that do not overlap */
            readonly selection: {
                /** @description Factors that the account has studied */
                readonly trials: number;
                readonly emax: number | null;
                readonly hurdle: number | null;
                readonly dsr: number | null;
                readonly spa: {
                    readonly block_length: number | null;
                    readonly statistic: number | null;
                    readonly lower: number | null;
                    readonly consistent: number | null;
                    readonly upper: number | null;
                } | null;
                readonly seed: string;
                readonly best: string | null;
                readonly sessions: number;
            };
        };
        readonly FactorValuesJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: {
                readonly bytes: number;
            } | null;
        };
        readonly Failure: {
            /** @description Equals the HTTP status */
            readonly code: number;
            /** @description In the negotiated language */
            readonly message: string;
            readonly data: null;
            /** @description Stable and machine-readable */
            readonly key: string;
            /** @description The fields of the request with problems */
            readonly detail?: readonly components["schemas"]["RequestProblem"][];
        };
        /** Format: binary */
        readonly File: string;
        readonly FileCheck: {
            /** @description Whether bars can be loaded */
            readonly ok: boolean;
            /** @description Whether counts are of a sample */
            readonly estimated: boolean;
            readonly market: {
                readonly prices: ("as_traded" | "split_adjusted" | "total_adjusted" | "unknown" | "mixed") | null;
                readonly consolidated_from: string | null;
                readonly first: string | null;
                readonly last: string | null;
                readonly symbols: number;
            };
            readonly layouts: readonly {
                /** @enum {string} */
                readonly layout: "own" | "generic" | "yahoo" | "stooq" | "nasdaq" | "alpha_vantage" | "tiingo" | "eodhd" | "sharadar" | "kaggle" | "text" | "alpaca" | "massive" | "databento";
                readonly files: number;
                readonly symbols: number;
                readonly first: string | null;
                readonly last: string | null;
                readonly prices: ("as_traded" | "split_adjusted" | "total_adjusted" | "unknown" | "mixed") | null;
                readonly events: number;
                readonly rejected: {
                    readonly [key: string]: {
                        readonly count: number;
                        readonly lines: readonly {
                            readonly file: string;
                            readonly line: number;
                            readonly text: string;
                        }[];
                    };
                };
            }[];
            readonly missing: readonly ("no_symbol_list" | "no_events" | "no_delisted")[];
            readonly suggest: {
                /** @description What may change a guess */
                readonly "market.json": {
                    readonly [key: string]: unknown;
                };
            };
            readonly files_total: number;
            /** @description At most 200, refused ones first */
            readonly files: readonly components["schemas"]["SyncJobFile"][];
        };
        readonly Files: {
            readonly schema_version: number;
            readonly data_version: string;
            /** Format: date */
            readonly newest_session: string;
            /** Format: date-time */
            readonly written_at: string;
            readonly bytes: number;
            readonly files: readonly {
                readonly path: string;
                readonly rows: number;
                readonly bytes: number;
                readonly sha256: string;
            }[];
        };
        /** @description Growth after so many sessions: 1 is none */
        readonly ForwardBand: {
            readonly session: number;
            readonly p5: number;
            readonly p25: number;
            readonly p50: number;
            readonly p75: number;
            readonly p95: number;
        };
        readonly ForwardBands: {
            readonly growth: readonly components["schemas"]["ForwardBand"][];
            readonly excess: readonly components["schemas"]["ForwardBand"][];
        };
        readonly ForwardEntry: {
            readonly number: number;
            /** Format: date */
            readonly session: string;
            /** @enum {string} */
            readonly kind: "session" | "revised" | "engine" | "stopped" | "abandoned";
            /** @description As it was digested */
            readonly entry: {
                /** Format: date */
                readonly session: string;
                readonly engine_version: string;
                readonly data_version: string;
                readonly columns: readonly {
                    readonly name: string;
                    readonly version: number;
                }[];
                readonly positions: readonly {
                    readonly symbol: string;
                    readonly shares: number;
                }[];
                readonly orders: readonly {
                    readonly symbol: string;
                    /** @enum {string} */
                    readonly side: "buy" | "sell";
                    readonly reason: string;
                }[];
                readonly return: number;
                readonly benchmark: number;
                readonly equity: number;
            } | {
                /** @enum {string} */
                readonly kind: "revised" | "engine" | "stopped" | "abandoned";
                /** Format: date */
                readonly session: string;
                readonly before?: {
                    readonly return: number;
                    readonly equity: number;
                } | string;
                readonly after?: {
                    readonly return: number;
                    readonly equity: number;
                } | string;
            };
            /** @description Of the digest before it in hex, followed by the RFC 8785 form of `entry` */
            readonly sha256: string;
            /** Format: date-time */
            readonly appended_at: string;
        };
        readonly ForwardEntryList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["ForwardEntry"][];
        };
        readonly ForwardHeads: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly {
                /** Format: date */
                readonly day: string;
                readonly sha256: string;
            }[];
        };
        readonly ForwardLive: {
            readonly sessions: number;
            readonly growth: number;
            readonly market: number;
            readonly place: components["schemas"]["ForwardPlace"] | null;
            /** @description Of the growth ÷ that of the market */
            readonly place_excess: components["schemas"]["ForwardPlace"] | null;
            /** @description Among paths with a mean lowered by the hurdle of the search */
            readonly place_lowered: components["schemas"]["ForwardPlace"] | null;
            readonly appraisal: number | null;
            readonly appraisal_interval: readonly [
                number,
                number
            ] | null;
            /** @description Live ÷ sealed appraisal ratio. Null below 60 sessions */
            readonly shrinkage: number | null;
        };
        /** @description Among the 1,000 paths of the seal after as many sessions */
        readonly ForwardPlace: {
            readonly rank: number;
            readonly below: number;
            readonly inside_90: boolean;
        };
        readonly ForwardRecord: {
            readonly id: number;
            readonly name: string;
            /** @enum {string} */
            readonly kind: "backtest" | "portfolio";
            /**
             * @description `beyond`: it has gone on for longer than was predicted. Ended records stay listed
             * @enum {string}
             */
            readonly status: "live" | "beyond" | "stopped" | "abandoned";
            /** Format: date-time */
            readonly sealed_at: string;
            readonly ended_at: string | null;
            readonly sessions: number;
            readonly last_session: string | null;
            readonly seal_sha256: string;
            /** @description The newest digest of the chain */
            readonly head: string;
            readonly sealed: {
                /** Format: date */
                readonly start_date: string;
                /** Format: date */
                readonly end_date: string;
                readonly total_pnl_pct: number | null;
                readonly sharpe: number | null;
                readonly max_drawdown_pct: number | null;
                readonly appraisal: number | null;
                readonly skill_shown: boolean | null;
            };
            readonly live: components["schemas"]["ForwardLive"] | null;
            readonly shared: boolean;
            readonly slug: string | null;
            readonly sentences: readonly string[];
        };
        readonly ForwardRecordDetail: {
            readonly id: number;
            readonly name: string;
            /** @enum {string} */
            readonly kind: "backtest" | "portfolio";
            /**
             * @description `beyond`: it has gone on for longer than was predicted. Ended records stay listed
             * @enum {string}
             */
            readonly status: "live" | "beyond" | "stopped" | "abandoned";
            /** Format: date-time */
            readonly sealed_at: string;
            readonly ended_at: string | null;
            readonly sessions: number;
            readonly last_session: string | null;
            readonly seal_sha256: string;
            /** @description The newest digest of the chain */
            readonly head: string;
            readonly sealed: {
                /** Format: date */
                readonly start_date: string;
                /** Format: date */
                readonly end_date: string;
                readonly total_pnl_pct: number | null;
                readonly sharpe: number | null;
                readonly max_drawdown_pct: number | null;
                readonly appraisal: number | null;
                readonly skill_shown: boolean | null;
            };
            readonly live: components["schemas"]["ForwardLive"] | null;
            readonly shared: boolean;
            readonly slug: string | null;
            readonly sentences: readonly string[];
            /** @description Records of its account, this one included */
            readonly of_account: {
                readonly records: number;
                readonly ended: number;
            };
            /** @description `seal_sha256` is of its RFC 8785 form */
            readonly seal: {
                readonly [key: string]: unknown;
            };
            readonly bands: components["schemas"]["ForwardBands"] | null;
            readonly lowered_bands: components["schemas"]["ForwardBands"] | null;
            /** @description The last 250 sessions of the sealed run, 1 at its end */
            readonly before: readonly {
                /** Format: date */
                readonly ts: string;
                readonly growth: number;
                readonly market: number;
            }[];
            /** @description Growth since the seal as it was told; `revised`: by what is known now, where that differs */
            readonly after: readonly {
                /** Format: date */
                readonly ts: string;
                readonly growth: number;
                readonly market: number;
                readonly revised: number | null;
            }[];
        };
        readonly ForwardRecordList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["ForwardRecord"][];
        };
        readonly GetBacktestJobData: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["BacktestResult"] | null;
        };
        readonly GetBatchRequest: {
            readonly symbols: readonly string[];
            /**
             * @default quote
             * @enum {string|null}
             */
            readonly type?: "quote" | "static" | "kline" | null;
            /**
             * @default day
             * @enum {string|null}
             */
            readonly period?: "day" | "week" | "month" | null;
            /**
             * @default none
             * @enum {string|null}
             */
            readonly adjust?: "none" | "qfq" | "total" | "split" | null;
            /**
             * Format: date
             * @description The first day. Overrides `days`
             */
            readonly start?: string | null;
            /**
             * Format: date
             * @description The last day. Later days are clamped to the newest distributable day
             */
            readonly end?: string | null;
            /** @default 250 */
            readonly days?: number | null;
        };
        readonly GetTearSheetJobData: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["TearSheet"] | null;
        };
        readonly GivenRules: components["schemas"]["Rules"] | components["schemas"]["SavedRules"];
        readonly GivenRulesInput: components["schemas"]["RulesInput"] | components["schemas"]["SavedRulesInput"];
        readonly GrantRequest: {
            readonly client_id: string;
            /** @description As the client calls itself */
            readonly name: string;
            /** @description Where the answer goes */
            readonly redirect_host: string;
            readonly scopes: readonly ("read" | "research" | "account")[];
            /** @description That a grant has unless its owner decides otherwise */
            readonly trial_limit: number;
        };
        readonly HTTPValidationError: {
            /** @description Equals the HTTP status */
            readonly code: number;
            /** @description In the negotiated language */
            readonly message: string;
            readonly data: null;
            /** @description Stable and machine-readable */
            readonly key: string;
            readonly detail: readonly components["schemas"]["RequestProblem"][];
        };
        /** @description Returns are fractions */
        readonly HorizonOutcome: {
            readonly horizon: number;
            readonly hits: number;
            /** @description Hits whose horizon ends after the range */
            readonly open: number;
            /** @description Hits without an entry before the horizon ends */
            readonly no_entry: number;
            /** @description Counted hits of instruments that were delisted before the horizon ends */
            readonly ended: number;
            readonly days: number;
            readonly instruments: number;
            readonly mean: number | null;
            readonly median: number | null;
            readonly p5: number | null;
            readonly p25: number | null;
            readonly p75: number | null;
            readonly p95: number | null;
            readonly positive_share: number | null;
            readonly excess: {
                readonly mean: number | null;
                /** @description What is left after the beta of the 252 returns before each hit */
                readonly alpha: number | null;
                readonly others: number | null;
                /** @description With errors for overlapping horizons; null for few hits, days, or periods */
                readonly t: number | null;
                /** @description Two-sided */
                readonly p: number | null;
                readonly positive_share: number | null;
                /** @description Sessions with nothing to compare with at this horizon */
                readonly left_out: number;
                /** @description The reason why t is null: too few hits, days, or periods, or equal differences */
                readonly doubt: ("hits" | "days" | "range" | "equal") | null;
            } | null;
            readonly by_year: readonly {
                readonly year: number;
                readonly hits: number;
                readonly days: number;
                readonly mean: number | null;
                /** @description Less that of the others; null without one */
                readonly excess: number | null;
            }[];
            /** @description Apart by the condition `by` */
            readonly by: {
                readonly true: {
                    readonly hits: number;
                    readonly days: number;
                    readonly mean: number | null;
                    /** @description Less that of the others; null without one */
                    readonly excess: number | null;
                };
                readonly false: {
                    readonly hits: number;
                    readonly days: number;
                    readonly mean: number | null;
                    /** @description Less that of the others; null without one */
                    readonly excess: number | null;
                };
                readonly difference: number | null;
                readonly t: number | null;
            } | null;
        };
        readonly Impact: {
            readonly load: number;
            /**
             * @description Figures of `forward` are since its seal
             * @enum {string}
             */
            readonly kind: "backtest" | "portfolio" | "outcomes" | "watch" | "factor_study" | "forward";
            /** @description Like `name`, null for callers whose it is not */
            readonly id: number | string | null;
            readonly name: string | null;
            /** @description Of a shared run */
            readonly slug: string | null;
            readonly before: components["schemas"]["ImpactFigures"] | null;
            /** @description Null: no bar is left in its range */
            readonly after: components["schemas"]["ImpactFigures"] | null;
        };
        readonly ImpactFigures: {
            readonly total_pnl_pct?: number | null;
            readonly sharpe?: number | null;
            /** @description Of skill beyond the market */
            readonly verdict?: ("shown" | "not_shown") | null;
            /** @description Of a watch at its newest session */
            readonly signals?: number;
            /** @description The strongest of a study, by `ic`: its mean at the first horizon */
            readonly factor?: string;
            readonly ic?: number | null;
        };
        readonly ImpactList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Impact"][];
        };
        readonly Instance: {
            /** @enum {string} */
            readonly kind: "api" | "worker" | "scheduler";
            /** @description Of a worker, or the address; null: on the machine of the database */
            readonly name: string | null;
            /** Format: date-time */
            readonly since: string;
            readonly jobs: readonly {
                readonly queue: string;
                /** Format: uuid */
                readonly id: string;
                /** Format: date-time */
                readonly since: string;
            }[];
        };
        readonly InstanceList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Instance"][];
        };
        /** @description What the cash earned, in money and of the mean equity a year; null without `cash` */
        readonly Interest: {
            readonly money: number;
            readonly pct_per_year: number | null;
        } | null;
        readonly Intraday: {
            readonly symbol: string;
            readonly name: string;
            /** @enum {string} */
            readonly market: "US" | "HK" | "CN";
            readonly currency: string;
            /** Format: date */
            readonly date: string;
            /** @enum {string} */
            readonly interval: "1m" | "5m" | "15m" | "30m" | "60m";
            /** @enum {string} */
            readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
            /** @description The venue basis in the negotiated language */
            readonly venue_mode_label: string;
            readonly delayed: boolean;
            readonly timeliness: components["schemas"]["Timeliness"];
            readonly count: number;
            readonly bars: readonly {
                /** Format: date-time */
                readonly ts: string;
                /** @description In the currency of the instrument */
                readonly open: number;
                /** @description In the currency of the instrument */
                readonly high: number;
                /** @description In the currency of the instrument */
                readonly low: number;
                /** @description In the currency of the instrument */
                readonly close: number;
                /** @description Shares */
                readonly volume: number;
            }[];
        };
        readonly Job: {
            /** Format: uuid */
            readonly id: string;
            readonly queue: string;
            /** @enum {string} */
            readonly state: "waiting" | "retry" | "active" | "completed" | "cancelled" | "failed";
            /** @description Attempts so far */
            readonly attempts: number;
            readonly max_attempts: number;
            readonly error: string | null;
            readonly runbook: string | null;
            readonly request_id: string | null;
            readonly subject: string | null;
            readonly account: string | null;
            readonly worker: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly start_after: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
        };
        readonly JobDetail: {
            /** Format: uuid */
            readonly id: string;
            readonly queue: string;
            /** @enum {string} */
            readonly state: "waiting" | "retry" | "active" | "completed" | "cancelled" | "failed";
            /** @description Attempts so far */
            readonly attempts: number;
            readonly max_attempts: number;
            readonly error: string | null;
            readonly runbook: string | null;
            readonly request_id: string | null;
            readonly subject: string | null;
            readonly account: string | null;
            readonly worker: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly start_after: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
            readonly input: {
                readonly [key: string]: unknown;
            };
            readonly stack: string | null;
            readonly history: readonly {
                readonly attempt: number;
                readonly worker: string | null;
                /** Format: date-time */
                readonly taken_at: string;
                readonly ended_at: string | null;
                readonly error: string | null;
            }[];
            /** @description Webhooks that tell of its work */
            readonly deliveries: readonly {
                readonly event: string;
                /** @enum {string} */
                readonly status: "pending" | "delivered" | "failed";
                readonly attempts: number;
                /** Format: date-time */
                readonly created_at: string;
                readonly last_at: string | null;
            }[];
        };
        readonly JobFailures: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly {
                readonly queue: string;
                /** @description The error message without numbers and ids */
                readonly cause: string;
                /** @description The error message of the latest of these jobs */
                readonly last_error: string;
                readonly count: number;
                /** Format: date-time */
                readonly first_at: string;
                /** Format: date-time */
                readonly last_at: string;
                /** Format: uuid */
                readonly example_job_id: string;
                /** @description The section of the runbook for this failure */
                readonly runbook: string;
            }[];
        };
        readonly JobList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Job"][];
            /** @description Jobs queued before were not searched for the text, account, or worker; null: all were */
            readonly searched_from: string | null;
        };
        readonly JobsUpdate: {
            /** @enum {string} */
            readonly action: "retry" | "cancel" | "move_first" | "move_last";
            /**
             * Format: date-time
             * @description As sent, or now: the set for the next calls
             */
            readonly to: string;
            /** @description Jobs that match, before this call */
            readonly total: number;
            readonly job_ids: readonly string[];
            readonly done: number;
            readonly skipped: number;
            /** @description Null: these were the last */
            readonly next: string | null;
        };
        readonly JudgeNote: {
            /** @enum {string} */
            readonly code: "frequency_guessed" | "realized_only" | "no_benchmark" | "assumed" | "short_record" | "figures_only" | "gaps" | "no_session" | "duplicates" | "benchmark_gaps" | "risk_free_gaps" | "percent" | "equity" | "empty_streams" | "mixed_frequency" | "few_common";
            /** @enum {string} */
            readonly level: "info" | "warning";
            readonly message: string;
            readonly details: {
                readonly [key: string]: number | string;
            };
            /** @description The first 20 */
            readonly streams?: readonly string[];
        };
        readonly JudgedStream: {
            readonly name: string;
            /** Format: date */
            readonly first: string;
            /** Format: date */
            readonly last: string;
            /** @enum {string} */
            readonly frequency: "day" | "week" | "month";
            readonly periods: number;
            /** @description Periods from the first to the last without a value */
            readonly missing: number;
            readonly tear_sheet: components["schemas"]["RecordSheet"];
            readonly statistics: {
                /** @description Probability that the true Sharpe ratio is above 0, as every run has it in a rising market */
                readonly psr: number | null;
                /** @description Bars that the Sharpe ratio must last to be above 0 with 95% confidence */
                readonly min_track_record_bars: number | null;
                /** @description 5th and 95th percentile of the annualized Sharpe ratio over 1,000 stationary bootstrap resamples */
                readonly sharpe_interval: readonly [
                    number,
                    number
                ] | null;
                /** @description 5th and 95th percentile of the annualized return in percent, over the same resamples */
                readonly annualized_interval: readonly [
                    number,
                    number
                ] | null;
                /** @description Mean block length of the resamples in bars */
                readonly block_length: number | null;
                /** @description Seed of the draws: the first 8 bytes of `spec_sha256` */
                readonly seed: string;
                /** @description Returns, one for each bar of the range */
                readonly returns: number;
                /** @description Earned beyond the market that was held; null below 60 bars */
                readonly skill?: components["schemas"]["Skill"] | null;
            };
            /** @description The Sharpe ratio of returns that follow each other; null below 60 periods */
            readonly serial: {
                /** @description First autocorrelation */
                readonly rho: number | null;
                readonly psr: number | null;
                /** @description Periods */
                readonly min_track_record: number | null;
                /** @description Per period, above which a ratio of 0 is rejected at 5% */
                readonly critical_sharpe: number | null;
                /** @description How often a true ratio of `sharpe` a year is found */
                readonly power: number | null;
            } | null;
        };
        readonly Judgement: {
            /** @enum {string} */
            readonly form: "returns" | "equity";
            readonly benchmark: string | null;
            readonly streams: readonly components["schemas"]["JudgedStream"][];
            /** @description Null where streams have few periods in common, or other frequencies */
            readonly selection: {
                /** @description By appraisal, or without a benchmark by Sharpe ratio */
                readonly best: string;
                /** @description That all streams have */
                readonly periods: number;
                /** @description `trials`, or the streams where these are more */
                readonly trials: number;
                /** @description Largest Sharpe ratio to expect of them without skill, in deviations */
                readonly emax: number;
                /** @description Years that the best must last to be above so many tries */
                readonly min_backtest_years: number | null;
                /** @description Sharpe ratio per bar that luck alone gives the best */
                readonly hurdle?: number | null;
                /** @description Deflated Sharpe ratio: the probability that the true ratio is above it */
                readonly dsr?: number | null;
                /** @description The same of what the best earned beyond the market */
                readonly skill?: {
                    readonly hurdle: number | null;
                    readonly dsr: number | null;
                };
            } | null;
            readonly pbo: {
                /** @description Probability of backtest overfitting: the share of 12,870 splits of the time in which the best of one half was not above the middle in the other half. Null for fewer than 10 combinations or 320 bars */
                readonly pbo: number | null;
                readonly from: number;
                readonly to: number;
                readonly counts: readonly number[];
                /** @description Of the Sharpe ratio out of the sample on that in it */
                readonly slope: number | null;
            } | null;
            /** @description Test of superior predictive ability against the market that was held: p-values of "no combination is better" */
            readonly spa: {
                readonly lower: number;
                readonly consistent: number;
                readonly upper: number;
                readonly statistic: number;
                readonly block_length: number;
            } | null;
            readonly step_m: {
                readonly count: number;
                readonly superior: readonly string[];
            } | null;
            /** @description The p-value of the best for as many tests as there are combinations, and the annualized Sharpe ratio that it leaves (Harvey and Liu). Null unless the ratio is above 0 */
            readonly haircuts: {
                readonly tests: number;
                readonly p: number;
                readonly bonferroni: {
                    readonly p: number;
                    readonly sharpe: number;
                };
                readonly holm: {
                    readonly p: number;
                    readonly sharpe: number;
                };
                readonly bhy: {
                    readonly p: number;
                    readonly sharpe: number;
                };
            } | null;
            /** @description Probability of no skill for a ratio as high as observed, under the inputs; null for one stream */
            readonly fdr: {
                readonly prior: number;
                readonly sharpe: number;
                readonly streams: readonly {
                    readonly name: string;
                    readonly fdr: number | null;
                }[];
            } | null;
            readonly notes: readonly components["schemas"]["JudgeNote"][];
            readonly sentences: readonly string[];
            readonly account: {
                readonly layout: string;
                readonly lines: number;
                readonly header: number;
                readonly blank: number;
                readonly loaded: number;
                readonly repeated: number;
                readonly rejected: number;
                readonly left_out: number;
                readonly by_reason: {
                    readonly [key: string]: number;
                };
                readonly rejected_lines: readonly {
                    readonly line: number;
                    readonly text: string;
                    readonly reason: string;
                }[];
                readonly told: readonly string[];
            };
        };
        readonly JudgementJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["Judgement"] | null;
        };
        /** @description Of the last verification */
        readonly LastVerdict: {
            /**
             * @description `both`: data and engine. `spec_changed`: the kept specification differs from that of the receipt. `unexplained`: neither data nor engine explains the difference. `no_receipt`: it was kept before there were receipts
             * @enum {string}
             */
            readonly verdict: "reproduced" | "data_revised" | "engine_changed" | "both" | "spec_changed" | "unexplained" | "no_receipt";
            /** Format: date-time */
            readonly verified_at: string;
        };
        readonly LoadImpact: {
            readonly load: number;
            /**
             * @description `held`: a session that it revised is not released
             * @enum {string}
             */
            readonly status: "waiting" | "computing" | "held" | "done";
            readonly runs: {
                /** @description With a receipt */
                readonly kept: number;
                /** @description No revised bar or event lies within what the receipt's data digest covers */
                readonly untouched: number;
                readonly changed: number;
                /** @description Computed again with the same figures */
                readonly unchanged: number;
                readonly waiting: number;
                /** @description Cannot be computed as before the load */
                readonly unknown: number;
                /** @description Kept without a receipt */
                readonly unproved: number;
            } | null;
        };
        readonly LoadImpactList: {
            readonly load: number;
            /**
             * @description `held`: a session that it revised is not released
             * @enum {string}
             */
            readonly status: "waiting" | "computing" | "held" | "done";
            readonly runs: {
                /** @description With a receipt */
                readonly kept: number;
                /** @description No revised bar or event lies within what the receipt's data digest covers */
                readonly untouched: number;
                readonly changed: number;
                /** @description Computed again with the same figures */
                readonly unchanged: number;
                readonly waiting: number;
                /** @description Cannot be computed as before the load */
                readonly unknown: number;
                /** @description Kept without a receipt */
                readonly unproved: number;
            } | null;
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Impact"][];
        };
        readonly LoadedSymbol: {
            readonly id: number;
            readonly symbol: string;
            /** @enum {string} */
            readonly market: "US" | "HK" | "CN";
            readonly name: string;
            readonly asset_type: string;
            readonly primary_venue: string;
            /** @enum {string} */
            readonly status: "active" | "delisted";
            readonly listed_on: string | null;
            readonly delisted_on: string | null;
            readonly delisting_return_pct: number | null;
            readonly rows: number;
            readonly first_date: string | null;
            readonly last_date: string | null;
            readonly by_venue_mode: readonly {
                /** @enum {string} */
                readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
                readonly rows: number;
                readonly first_date: string | null;
                readonly last_date: string | null;
            }[];
        };
        readonly LoadedSymbolList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["LoadedSymbol"][];
        };
        readonly LoginAdminData: {
            readonly access_token: string;
            /** @description Null for the web site, which has it in a cookie */
            readonly refresh_token: string | null;
            /** @constant */
            readonly token_type: "Bearer";
            /** @description Lifetime of the access token, in seconds */
            readonly expires_in: number;
            readonly user: components["schemas"]["User"];
        };
        readonly LoginAdminRequest: {
            readonly login: string;
            readonly password: string;
        };
        readonly LoginEvent: {
            /** Format: date-time */
            readonly at: string;
            /** @enum {string} */
            readonly kind: "register" | "login" | "admin_login";
            readonly ip: string | null;
            readonly country: string | null;
            readonly country_name: string | null;
        };
        readonly LoginEventList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["LoginEvent"][];
        };
        readonly LogoutData: {
            /** @constant */
            readonly logged_out: true;
        };
        readonly LogoutRequest: {
            readonly refresh_token?: string | null;
        };
        /** @description Long the highest class and short of the lowest, monthly, gross of costs */
        readonly LongShort: {
            readonly formations: number;
            /** @description Formations without two sides of ten names */
            readonly undefined: number;
            readonly months: number;
            readonly mean: number | null;
            readonly sd: number | null;
            readonly t: number | null;
            /** @description With the errors of Newey and West */
            readonly t_nw: number | null;
            readonly lag: number;
            /** @description Of the mean, 90 % */
            readonly interval: readonly (number | null)[] | null;
            /** @description A month, both sides added */
            readonly turnover: number | null;
            /** @description Cost of one exchange, a sale and a purchase, that leaves nothing */
            readonly break_even: number | null;
            readonly series: readonly components["schemas"]["LongShortMonth"][];
        };
        readonly LongShortMonth: {
            readonly month: string;
            readonly ls: number | null;
            readonly long: number | null;
            readonly short: number | null;
            readonly names: readonly number[];
        };
        readonly LongShortRule: {
            /**
             * @default equal
             * @enum {string}
             */
            readonly weights?: "equal" | "value" | "capped";
            /** @description An own column of market value, or of shares */
            readonly cap?: string;
            /**
             * @description The names whose values cut the classes: all, those of NYSE, or all but microcaps
             * @default all
             * @enum {string}
             */
            readonly breakpoints?: "all" | "nyse" | "no_micro";
            /**
             * @description Equal classes, the ends of the lowest and the highest, or the distinct values
             * @default 5
             */
            readonly cuts?: number | readonly [
                number,
                number
            ] | "classes";
            /**
             * @description Months that each cohort is held
             * @default 1
             */
            readonly hold?: number;
            /**
             * @description Whether microcaps take part
             * @default true
             */
            readonly micro?: boolean;
        };
        readonly LongShortRuleInput: {
            /**
             * @default equal
             * @enum {string|null}
             */
            readonly weights?: "equal" | "value" | "capped" | null;
            /** @description An own column of market value, or of shares */
            readonly cap?: string | null;
            /**
             * @description The names whose values cut the classes: all, those of NYSE, or all but microcaps
             * @default all
             * @enum {string|null}
             */
            readonly breakpoints?: "all" | "nyse" | "no_micro" | null;
            /**
             * @description Equal classes, the ends of the lowest and the highest, or the distinct values
             * @default 5
             */
            readonly cuts?: number | readonly [
                number,
                number
            ] | "classes" | null;
            /**
             * @description Months that each cohort is held
             * @default 1
             */
            readonly hold?: number | null;
            /**
             * @description Whether microcaps take part
             * @default true
             */
            readonly micro?: boolean | null;
        };
        readonly LookAheadJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["LookAheadReport"] | null;
        };
        readonly LookAheadReport: {
            /** @description Cuts that were compared, one after each bar of the range */
            readonly prefixes: number;
            readonly differences: number;
            /** @enum {string} */
            readonly verdict: "none" | "found";
            /** @description The first difference */
            readonly first?: {
                /** Format: date */
                readonly cut_after: string;
                /** Format: date */
                readonly date: string;
                /** @enum {string} */
                readonly kind: "signal" | "trade" | "equity";
            };
            /** @description The fewest bars before the range from which on no trade changes */
            readonly warm_up: {
                readonly needed_bars: number;
                readonly available_bars: number;
                readonly compared: readonly number[];
            };
            readonly engine_version: string;
            /** Format: date-time */
            readonly proved_at: string;
        };
        readonly MarketEvent: {
            readonly symbol: string | null;
            /** @enum {string} */
            readonly kind: "split" | "reverse_split" | "stock_dividend" | "cash_dividend" | "spin_off";
            /** Format: date */
            readonly ex_date: string;
            /** @description Prices before the ex-date are multiplied by it */
            readonly factor: number;
            /** @description Of a cash dividend, per share: the previous close × (1 − factor). Null for other kinds, and if there is no previous bar */
            readonly amount: number | null;
            /** @description Doubts about the prices around it */
            readonly findings: readonly ("contradicted" | "split_suspected" | "hole")[];
        };
        readonly MarketEventList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["MarketEvent"][];
        };
        readonly MarketMover: {
            readonly symbol: string;
            /** @description Of a past session: the symbol of today */
            readonly current_symbol?: string;
            readonly name: string;
            /** @description As traded */
            readonly close: number;
            /** @description Close × volume */
            readonly dollar_volume: number;
            /** @description Against the bar before; here and below null where there is no such bar */
            readonly return_1d_pct: number | null;
            /** @description Against 5 bars before */
            readonly return_1w_pct: number | null;
            /** @description Against 21 bars before */
            readonly return_1m_pct: number | null;
            /** @description Against the last close of the year before */
            readonly return_ytd_pct: number | null;
            /** @description Against 252 bars before */
            readonly return_1y_pct: number | null;
            /** @description Volume ÷ mean volume of the 20 bars before */
            readonly volume_ratio: number | null;
            /** @description From the close before to the open */
            readonly gap_pct: number | null;
            /** @description Closes in a row above the one before; negative: below it; 0: the last is unchanged */
            readonly streak: number;
            /** @description The newest 24 closes, oldest first, on the share count of the session, to 5 digits */
            readonly closes: readonly number[];
        };
        readonly MarketOverview: {
            /** Format: date */
            readonly as_of: string;
            /** @description The session before that has an overview */
            readonly previous_session: string | null;
            /** @description The session after that has an overview; null: this is the newest */
            readonly next_session: string | null;
            readonly timeliness: components["schemas"]["Timeliness"];
            /** @description The counted asset types */
            readonly asset_types: readonly string[];
            /** @description Instruments with a bar in the session */
            readonly counted: number;
            /** @description Listed instruments that had a bar in the seven days before and have none in the session */
            readonly without_bar: number;
            readonly figures: {
                /** @description Of one day */
                readonly median_return_pct: number | null;
                /** @description Of 5 bars */
                readonly median_return_1w_pct: number | null;
                readonly rising: number;
                readonly falling: number;
                readonly unchanged: number;
                /** @description Highs above all of the 252 bars before */
                readonly new_highs: number;
                /** @description Lows below all of the 252 bars before */
                readonly new_lows: number;
                /** @description Share of the closes above their mean of 200 bars */
                readonly above_sma_200_pct: number | null;
                /** @description Change against the session before, in percentage points */
                readonly above_sma_200_change: number | null;
                /** @description Of all counted instruments */
                readonly dollar_volume: number;
                /** @description Against the mean of the 20 sessions before */
                readonly dollar_volume_vs_mean_pct: number | null;
                /** @description Standard deviation of the returns of one day */
                readonly dispersion_pct: number | null;
                /** @description Percent of the 252 sessions through this one with at most this dispersion */
                readonly dispersion_percentile: number | null;
            };
            /** @description The last 60 completely loaded sessions, oldest first */
            readonly days: readonly {
                /** Format: date */
                readonly date: string;
                readonly rising: number;
                readonly falling: number;
                readonly unchanged: number;
                readonly new_highs: number;
                readonly new_lows: number;
            }[];
            /** @description The 500 instruments with the largest dollar volume, largest first */
            readonly universe: readonly components["schemas"]["MarketOverviewItem"][];
            /** @description Of the instruments in `universe`, the 8 largest movers up and down: by return, by volume ratio among those that rise or fall, by gap, and by streak; of equal ones the larger dollar volume comes first */
            readonly movers: {
                readonly return: {
                    readonly rising: readonly components["schemas"]["MarketMover"][];
                    readonly falling: readonly components["schemas"]["MarketMover"][];
                };
                readonly volume: {
                    readonly rising: readonly components["schemas"]["MarketMover"][];
                    readonly falling: readonly components["schemas"]["MarketMover"][];
                };
                readonly gap: {
                    readonly rising: readonly components["schemas"]["MarketMover"][];
                    readonly falling: readonly components["schemas"]["MarketMover"][];
                };
                readonly streak: {
                    readonly rising: readonly components["schemas"]["MarketMover"][];
                    readonly falling: readonly components["schemas"]["MarketMover"][];
                };
            };
            readonly missing_sessions: components["schemas"]["MissingSessions"];
        };
        readonly MarketOverviewItem: {
            readonly symbol: string;
            /** @description Of a past session: the symbol of today */
            readonly current_symbol?: string;
            readonly name: string;
            /** @description As traded */
            readonly close: number;
            /** @description Close × volume */
            readonly dollar_volume: number;
            /** @description Against the bar before; here and below null where there is no such bar */
            readonly return_1d_pct: number | null;
            /** @description Against 5 bars before */
            readonly return_1w_pct: number | null;
            /** @description Against 21 bars before */
            readonly return_1m_pct: number | null;
            /** @description Against the last close of the year before */
            readonly return_ytd_pct: number | null;
            /** @description Against 252 bars before */
            readonly return_1y_pct: number | null;
            /** @description Volume ÷ mean volume of the 20 bars before */
            readonly volume_ratio: number | null;
            /** @description From the close before to the open */
            readonly gap_pct: number | null;
            /** @description Closes in a row above the one before; negative: below it; 0: the last is unchanged */
            readonly streak: number;
        };
        readonly Meta: {
            readonly version: string;
            readonly engine_version: string;
            /** @enum {string} */
            readonly distribution_mode: "eod_only" | "delayed" | "realtime";
            readonly timeliness: components["schemas"]["Timeliness"];
            readonly data_range: {
                readonly start: string | null;
                readonly end: string | null;
            };
            /** @description What the prices of all instruments are before `adjust`; null while nothing is loaded */
            readonly prices: ("as_traded" | "split_adjusted" | "total_adjusted" | "unknown" | "mixed") | null;
            /**
             * Format: date
             * @description Runs have consolidated bars from this day on
             */
            readonly consolidated_from: string;
            /** @description Running loads of whole sessions, at most one per venue basis. Usually empty */
            readonly loading: readonly {
                /** @enum {string} */
                readonly basis: "consolidated" | "single_venue" | "primary_session";
                readonly progress_pct: number;
            }[];
            readonly data_source: {
                readonly provider: string;
                /** @description True for the sample market: invented instruments and prices */
                readonly synthetic: boolean;
                readonly description: string;
            };
            readonly markets: readonly ("US" | "HK" | "CN")[];
            readonly planned_markets: readonly ("US" | "HK" | "CN")[];
            readonly languages: readonly ("en" | "zh-CN" | "zh-TW")[];
            readonly public_api_base: string;
        };
        /** @description Sessions in the range that are published, may be distributed, and are not completely loaded, while the instrument was listed */
        readonly MissingSessions: {
            readonly count: number;
            /** @description Consecutive missing sessions, oldest first, at most 10 ranges */
            readonly ranges: readonly {
                /** Format: date */
                readonly start: string;
                /** Format: date */
                readonly end: string;
            }[];
        };
        readonly NeighborsOfBacktest: {
            readonly param: string;
            /** @description At most ten, ascending, the chosen one among them */
            readonly values: readonly {
                readonly value: number | string | boolean;
                readonly sharpe: number | null;
                readonly total_pnl_pct: number;
                readonly num_trades: number;
            }[];
            /** @description Combinations that the account has tried with this strategy on this instrument, these included */
            readonly trials: number | null;
        };
        readonly NewApiKey: {
            readonly id: number;
            readonly name: string;
            /** @description The first 11 characters */
            readonly prefix: string;
            readonly enabled: boolean;
            /** Format: date-time */
            readonly created_at: string;
            readonly last_used_at: string | null;
            readonly scopes: readonly ("read" | "research" | "account")[];
            readonly expires_at: string | null;
            readonly trial_limit: number;
            /** @description That assistants have made of `trial_limit` */
            readonly trials: number;
            /** @description The key itself, shown only once */
            readonly key: string;
        };
        readonly NewWebhook: {
            readonly id: number;
            readonly url: string;
            readonly events: readonly string[];
            /** @description Set to false also by the answer 410 */
            readonly enabled: boolean;
            /** Format: date-time */
            readonly created_at: string;
            /** @description Signs the deliveries; shown only once */
            readonly secret: string;
        };
        readonly OnCallProblem: {
            /** @enum {string} */
            readonly kind: "disk_full" | "no_worker" | "no_scheduler" | "transaction_stalled" | "clock_off" | "versions_differ" | "storage_failing" | "queue_paused" | "load_failed" | "session_held" | "data_suspect" | "jobs_failed" | "jobs_waiting" | "job_stuck" | "account_refused" | "webhook_failing" | "data_behind" | "feed_stopped" | "sessions_missing" | "snapshot_behind" | "unexplained_verdicts" | "lake_behind" | "steps_late" | "vendors_differ" | "backup_late" | "drill_failed";
            readonly caused_by: ("disk_full" | "no_worker" | "no_scheduler" | "transaction_stalled" | "clock_off" | "versions_differ" | "storage_failing" | "queue_paused" | "load_failed" | "session_held" | "data_suspect" | "jobs_failed" | "jobs_waiting" | "job_stuck" | "account_refused" | "webhook_failing" | "data_behind" | "feed_stopped" | "sessions_missing" | "snapshot_behind" | "unexplained_verdicts" | "lake_behind" | "steps_late" | "vendors_differ" | "backup_late" | "drill_failed") | null;
            readonly queue: string | null;
            readonly sync_job_id: number | null;
            readonly session: string | null;
            readonly until: string | null;
            /** @description Jobs, sessions, backtests, or seconds */
            readonly count: number | null;
            readonly detail: string | null;
            readonly under_way: boolean;
            readonly advice: boolean;
            readonly repair: ("resume_queue" | "retry_load" | "load_newest" | "load_range" | "release_session" | "retry_jobs") | null;
            readonly command: string | null;
            readonly runbook: string;
        };
        readonly OnCallReport: {
            /** Format: date-time */
            readonly generated_at: string;
            /** @description Causes before their consequences */
            readonly problems: readonly components["schemas"]["OnCallProblem"][];
            /** @description The last known repair; null while there is a problem */
            readonly well_since: string | null;
            readonly processes: {
                readonly api: number;
                readonly worker: number;
                readonly scheduler: number;
            };
            /** @description Newest loaded session */
            readonly loaded_to: string | null;
            readonly published_to: string | null;
            /** @description Null: not known */
            readonly sessions_behind: number | null;
            /** @description Null: none are made */
            readonly backups: {
                readonly location: string;
                /** @description When the last complete one began */
                readonly last_at: string | null;
                readonly last_bytes: number | null;
                /** @description The last drill that worked */
                readonly restored_at: string | null;
                /** @description `own`: a database on the server of the service */
                readonly restored_on: ("embedded" | "own") | null;
            } | null;
            readonly activity: readonly {
                /** @enum {string} */
                readonly queue: "backtest" | "portfolio" | "optimize" | "verify" | "look_ahead" | "tear_sheet" | "screen" | "sql" | "factor_values" | "claims" | "outcomes" | "judge" | "seal" | "column" | "sweep.chunk" | "sweep.assemble" | "verify.sample" | "mail.login_code" | "export" | "export.account" | "export.expire" | "snapshot.build" | "signals.evaluate" | "signals.mail" | "webhooks.deliver" | "lake.write" | "claims.newest" | "forward.append" | "impact" | "impact.mail" | "compare" | "storage.sweep" | "storage.remove" | "backup.write" | "backup.drill" | "sync.symbols" | "sync.adjustments" | "sync.daily_bars";
                /** @description In each five minutes of the last hour */
                readonly added: readonly number[];
                /** @description In each five minutes of the last hour */
                readonly ended: readonly number[];
            }[];
        };
        readonly OperatedSweep: {
            /** Format: uuid */
            readonly id: string;
            /**
             * @description `queued`: another sweep or study of the account runs. A canceled one no longer exists
             * @enum {string}
             */
            readonly status: "queued" | "running" | "done" | "failed";
            readonly progress_pct: number;
            readonly cells: {
                readonly done: number;
                readonly total: number;
            };
            /** @description Over the last minute; null where no chunk ended in it */
            readonly cells_per_second: number | null;
            /** @description All cells are computed, and the result is put together */
            readonly assembling: boolean;
            /** @description Null while it is assembled */
            readonly seconds_left: number | null;
            readonly chunks: {
                readonly done: number;
                readonly total: number;
                readonly running: number;
            };
            /** @description Worker processes that compute chunks of it now */
            readonly workers: number;
            /** @description On its figures, once it is done */
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            /** Format: date-time */
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
            readonly error: components["schemas"]["RunError"] | null;
            /** @description CPU seconds that its cells have used so far */
            readonly worker_seconds: number;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            /** @description Of a factor study: its factors */
            readonly strategies: readonly string[];
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            /** @description Symbols that were not found and skipped because of `skip_unknown`, the first 100 of them; absent if there are none */
            readonly skipped_symbols?: {
                readonly count: number;
                readonly symbols: readonly string[];
            };
            /** @description The session at which a screen chose the universe */
            readonly screened_on: string | null;
            /** @enum {string} */
            readonly kind: "sweep" | "factors";
            /** @description E-mail address of its account */
            readonly email: string;
            /** @description Attempts at chunks that failed or whose worker died */
            readonly failed_attempts: number;
        };
        readonly OperatedSweepList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["OperatedSweep"][];
        };
        readonly OptimizationExample: {
            /** @description The body of `POST /v1/optimize` that repeats it */
            readonly request: {
                readonly symbol: string;
                readonly strategy: string;
                readonly time_range: string;
                readonly grid: {
                    readonly [key: string]: {
                        readonly from: number;
                        readonly to: number;
                        readonly step: number;
                    };
                };
                readonly heatmap: readonly [
                    string,
                    string
                ];
                readonly walk_forward: {
                    readonly train_bars: number;
                    readonly test_bars: number;
                };
                readonly objective: string;
                readonly adjust: string;
                readonly execute_on: string;
                readonly cost: {
                    readonly slippage_bps: number;
                };
            };
            readonly result: components["schemas"]["OptimizeResult"];
        };
        readonly OptimizationJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly progress_pct: number;
            readonly result: components["schemas"]["OptimizeResult"] | null;
        };
        readonly OptimizeResult: {
            /** @description Absent in searches on `symbols` */
            readonly symbol?: string;
            readonly symbols?: readonly string[];
            readonly allocation?: {
                readonly max_positions: number;
                readonly sizing: string;
                readonly volatility_period: number;
                readonly rank_by: {
                    readonly field: string;
                    readonly period: number | null;
                    readonly order: string;
                } | null;
                readonly rebalance: string;
                readonly cash_buffer_pct: number;
            };
            readonly benchmark?: string;
            readonly universe?: components["schemas"]["RotationUniverseResult"];
            readonly rotation?: components["schemas"]["RotationResult"];
            /** @description Symbols that were not found and skipped because of `skip_unknown`, the first 100 of them; absent if there are none */
            readonly skipped_symbols?: {
                readonly count: number;
                readonly symbols: readonly string[];
            };
            /**
             * Format: date
             * @description The session of the `screen`
             */
            readonly screened_on?: string;
            readonly strategy: string;
            /** @description Of the strategy `rules` */
            readonly rules?: components["schemas"]["Rules"];
            readonly saved?: components["schemas"]["SavedStrategyReference"];
            readonly objective: string;
            /** Format: date */
            readonly start_date: string;
            /** Format: date */
            readonly end_date: string;
            readonly bars: number;
            readonly data_range: components["schemas"]["BacktestDataRange"];
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            readonly combinations: number;
            readonly statistics?: components["schemas"]["SearchStatistics"];
            readonly selection?: components["schemas"]["SearchSelection"];
            readonly receipt?: components["schemas"]["Receipt"];
            /** @description The best 50, best first */
            readonly best: readonly {
                readonly params: components["schemas"]["StrategyParams"];
                readonly metrics: {
                    readonly [key: string]: number | null;
                };
            }[];
            /** @description `cells[row of y][column of x]`: the best objective over all other parameters */
            readonly heatmap: {
                readonly x: {
                    readonly param: string;
                    readonly values: readonly (number | string | boolean)[];
                };
                readonly y: {
                    readonly param: string;
                    readonly values: readonly (number | string | boolean)[];
                };
                readonly cells: readonly (readonly (number | null)[])[];
            } | null;
            /** @description Each test window starts flat, with the capital at the end of the previous one. Dates and figures cover all test windows as one run. */
            readonly walk_forward: {
                /** Format: date */
                readonly start_date: string;
                /** Format: date */
                readonly end_date: string;
                readonly num_trades: number;
                readonly win_rate: number | null;
                readonly total_pnl_pct: number;
                readonly annualized_pct: number | null;
                readonly max_drawdown_pct: number;
                readonly sharpe: number | null;
                readonly profit_factor: number | null;
                readonly buy_hold_pnl_pct: number;
                readonly excess_return_pct: number;
                readonly max_drawdown_days: number;
                readonly sortino: number | null;
                readonly calmar: number | null;
                readonly exposure_pct: number;
                readonly avg_trade_pct: number | null;
                readonly best_trade_pct: number | null;
                readonly worst_trade_pct: number | null;
                readonly avg_bars_held: number | null;
                readonly final_equity: number;
                /** @description Mean annualized return of the test windows ÷ that of the training windows. Null when the latter is not positive */
                readonly efficiency: number | null;
                readonly windows: readonly {
                    /** Format: date */
                    readonly train_start: string;
                    /** Format: date */
                    readonly train_end: string;
                    /** Format: date */
                    readonly test_start: string;
                    /** Format: date */
                    readonly test_end: string;
                    readonly params: components["schemas"]["StrategyParams"];
                    readonly train_objective: number | null;
                    readonly test_pnl_pct: number;
                }[];
                readonly equity: readonly {
                    /** Format: date */
                    readonly ts: string;
                    readonly equity: number;
                    readonly drawdown_pct: number;
                    readonly buy_hold: number;
                }[];
                /** @description Of all tests as one run */
                readonly statistics?: {
                    /** @description Probability that the true Sharpe ratio is above 0, as every run has it in a rising market */
                    readonly psr: number | null;
                    /** @description Bars that the Sharpe ratio must last to be above 0 with 95% confidence */
                    readonly min_track_record_bars: number | null;
                    /** @description 5th and 95th percentile of the annualized Sharpe ratio over 1,000 stationary bootstrap resamples */
                    readonly sharpe_interval: readonly [
                        number,
                        number
                    ] | null;
                    /** @description 5th and 95th percentile of the annualized return in percent, over the same resamples */
                    readonly annualized_interval: readonly [
                        number,
                        number
                    ] | null;
                    /** @description Mean block length of the resamples in bars */
                    readonly block_length: number | null;
                    /** @description Seed of the draws: the first 8 bytes of `spec_sha256` */
                    readonly seed: string;
                    /** @description Returns, one for each bar of the range */
                    readonly returns: number;
                    /** @description Earned beyond the market that was held; null below 60 bars */
                    readonly skill?: components["schemas"]["Skill"] | null;
                };
                /** @description Only if the request asked for it */
                readonly tear_sheet?: components["schemas"]["TearSheet"];
            } | null;
        };
        readonly OutcomeExtreme: {
            readonly symbol: string;
            /** Format: date */
            readonly ts: string;
            readonly value: number | null;
            readonly excess: number | null;
        };
        readonly Outcomes: {
            /** @description Null if the result is not kept */
            readonly id: number | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly cached: boolean;
            readonly question: components["schemas"]["OutcomesQuestion"];
            readonly verification?: components["schemas"]["LastVerdict"];
            readonly sessions: number;
            /** Format: date */
            readonly first: string;
            /** Format: date */
            readonly last: string;
            readonly instruments: number;
            readonly hits: number;
            /** @description Sessions with a hit */
            readonly days: number;
            /** @description Those on which every member is a hit */
            readonly left_out: number;
            readonly horizons: readonly components["schemas"]["HorizonOutcome"][];
            /** @description Mean excess from 20 sessions before to 60 or more after, with the band of 1,000 resamples */
            readonly path: {
                readonly block_length: number;
                readonly seed: string;
                readonly points: readonly {
                    readonly offset: number;
                    readonly hits: number;
                    readonly mean: number | null;
                    readonly p5: number | null;
                    readonly p95: number | null;
                }[];
            } | null;
            readonly best: readonly components["schemas"]["OutcomeExtreme"][];
            readonly worst: readonly components["schemas"]["OutcomeExtreme"][];
            /** @description One for each horizon */
            readonly sentences: readonly string[];
            readonly receipt: components["schemas"]["Receipt"];
        };
        readonly OutcomesJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["Outcomes"] | null;
        };
        /** @description What was asked, with every default */
        readonly OutcomesQuestion: {
            readonly condition: string;
            /** @description Null: all members */
            readonly for: readonly string[] | null;
            readonly universe: components["schemas"]["RotationUniverseResult"];
            readonly first: boolean | {
                readonly sessions: number;
            };
            readonly horizons: readonly number[];
            /** @enum {string} */
            readonly entry: "close" | "next_open";
            /** @enum {string} */
            readonly compare: "same_day" | "own" | "none";
            readonly by: string | null;
            readonly adjust: string;
            readonly time_range: string | null;
            readonly start: string | null;
            readonly end: string | null;
        };
        readonly OwnColumn: {
            readonly name: string;
            /** @enum {string} */
            readonly owner: "account" | "everyone";
            /** @enum {string} */
            readonly kind: "number" | "label";
            readonly market: boolean;
            /** @enum {string} */
            readonly dimension: "none" | "shares" | "price" | "money";
            readonly unit: string | null;
            /** @enum {string} */
            readonly about: "value" | "later";
            /** @enum {string} */
            readonly day_means: "after_close" | "before_close";
            readonly lag: number;
            readonly stale_after: number | null;
            readonly version: number;
            readonly rows: number;
            readonly symbols: number;
            readonly first_day: string | null;
            readonly last_day: string | null;
            /** @description Share of rows known more than a session after `date` */
            readonly known_late_share: number | null;
            readonly sha256: string;
            /** Format: date-time */
            readonly loaded_at: string;
            readonly source: string | null;
            readonly license: string | null;
        };
        readonly OwnColumnList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["OwnColumn"][];
        };
        readonly OwnStrategy: {
            readonly id: number;
            readonly name: string;
            readonly description: string;
            readonly rules: components["schemas"]["Rules"];
            readonly parameters: {
                readonly [key: string]: components["schemas"]["SavedParameter"];
            };
            readonly version: number;
            readonly shared: boolean;
            readonly slug: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly OwnStrategyDetail: {
            readonly id: number;
            readonly name: string;
            readonly description: string;
            readonly rules: components["schemas"]["Rules"];
            readonly parameters: {
                readonly [key: string]: components["schemas"]["SavedParameter"];
            };
            readonly version: number;
            readonly shared: boolean;
            readonly slug: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description All of them, newest first */
            readonly versions: readonly {
                readonly version: number;
                /** Format: date-time */
                readonly created_at: string;
            }[];
        };
        readonly OwnStrategyList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["OwnStrategy"][];
        };
        readonly Percentiles: {
            readonly p50: number;
            readonly p95: number;
            readonly p99: number;
        };
        /** @description A null quota is unlimited. A limit of 0 means that the plan does not include the category. */
        readonly Plan: {
            /** @enum {string} */
            readonly code: "guest" | "free" | "pro" | "enterprise";
            readonly rate_limits: {
                readonly quote: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
                readonly kline: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
                readonly intraday: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
                readonly static: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
                readonly symbols: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
                readonly batch: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
                readonly backtest: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
                readonly optimize: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
                readonly account: {
                    readonly limit: number;
                    readonly window_seconds: number;
                };
            };
            readonly quotas: components["schemas"]["PlanQuotas"];
        };
        readonly PlanQuotas: {
            readonly api_keys_max: number;
            readonly backtest_history_max: number | null;
            readonly batch_symbols_max: number;
            readonly market_files: number | null;
            readonly sql_rows_max: number;
            /** @description Bytes of the trades, bars, and curves in one answer; longer ones are cut off, with `truncated: true` */
            readonly result_bytes_max: number;
            readonly portfolio_symbols_max: number;
            readonly sweep_cells_max: number;
            /** @description Factors × instruments × sessions of one study */
            readonly factor_cells_max: number;
            /** @description Instruments that may ever be eligible in one rotation; null: any number */
            readonly rotation_members_max: number | null;
            readonly kline_max_days: number | null;
            readonly concurrent_backtests: number;
            /** @description CPU seconds of workers that one run, search, sweep, or query may use */
            readonly job_seconds_max: number;
            readonly watches_max: number;
            readonly column_rows_max: number;
            readonly columns_max: number;
            /** @description Values of a record that is judged */
            readonly judge_values_max: number;
            /** @description Sealed runs that go on */
            readonly forward_max: number;
        };
        readonly Plans: {
            readonly plans: readonly components["schemas"]["Plan"][];
        };
        readonly PortfolioAllocation: {
            /** @default 10 */
            readonly max_positions?: number | null;
            /**
             * @default equal
             * @enum {string|null}
             */
            readonly sizing?: "equal" | "inverse_volatility" | null;
            /** @default 63 */
            readonly volatility_period?: number | null;
            /** @description The order in which candidates get free positions: by a field of the screener on the bars of the run, rounded to 6 decimals; undefined values come last, equal ones are ordered by symbol. Default: by symbol */
            readonly rank_by?: components["schemas"]["PortfolioAllocationRankBy"] | null;
            /** @default 0 */
            readonly cash_buffer_pct?: number | null;
            /** @description Shares of the whole value to hold, at most 1 in all; the rest is cash. Instead of a strategy */
            readonly targets?: readonly {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
                readonly weight: number;
            }[] | null;
            /**
             * @description Brings positions back to their targets on the last session of each period; without `targets` only those that deviate by 5% or more. `year` and `band_pct` (once a weight is more than so many points off) only with `targets`
             * @default none
             */
            readonly rebalance?: ("none" | "week" | "month" | "quarter" | "year") | {
                readonly band_pct: number;
            } | null;
            /** @description With `targets`: money in, shared by the weights, or out, on the first session of each period after the start */
            readonly flows?: readonly {
                /** @description Below 0: taken out */
                readonly amount: number;
                /** @enum {string} */
                readonly every: "month" | "quarter" | "year";
            }[] | null;
        };
        readonly PortfolioAllocationRankBy: {
            readonly field: components["schemas"]["ScreenerField"];
            /** @description Default: the field's; refused for a field that has none */
            readonly period?: number | null;
            /**
             * @default desc
             * @enum {string|null}
             */
            readonly order?: "asc" | "desc" | null;
        };
        /** @description `buy_hold` is the benchmark, `survivors` the rotation on those that have a bar on the last session */
        readonly PortfolioEquity: {
            /** Format: date */
            readonly ts: string;
            readonly equity: number;
            readonly drawdown_pct: number;
            readonly buy_hold: number;
            readonly survivors?: number;
        };
        readonly PortfolioJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: (components["schemas"]["PortfolioResult"] | components["schemas"]["ComparedPortfolios"]) | null;
        };
        /** @description Figures are those of a backtest on the equity of the whole portfolio; `num_trades` and `win_rate` count partial sales, `buy_hold_pnl_pct` is that of the benchmark, `bars` of the range counts sessions */
        readonly PortfolioResult: {
            /** @description Null if the result is not kept */
            readonly id: number | null;
            /** @constant */
            readonly kind: "portfolio";
            /** Format: date-time */
            readonly created_at: string;
            /** @description Of a rotation of every instrument: those that it held */
            readonly symbols: readonly string[];
            /** @description Those that have no bar in the range */
            readonly symbols_without_bars: readonly string[];
            /** @description Absent in a rotation */
            readonly allocation?: {
                readonly max_positions?: number;
                readonly sizing?: string;
                readonly volatility_period?: number;
                readonly rank_by?: {
                    readonly field: string;
                    readonly period: number | null;
                    readonly order: string;
                } | null;
                readonly rebalance: string | {
                    readonly band_pct: number;
                };
                readonly cash_buffer_pct?: number;
                readonly targets?: readonly {
                    readonly symbol: string;
                    readonly weight: number;
                }[];
                readonly flows?: readonly {
                    readonly amount: number;
                    /** @enum {string} */
                    readonly every: "month" | "quarter" | "year";
                }[];
            };
            readonly benchmark: string;
            /** @description Of a rotation: instruments with a bar in the range */
            readonly members?: number;
            /** @description Of a rotation */
            readonly universe?: components["schemas"]["RotationUniverseResult"];
            /** @description Of a rotation: schedule, ranking, and weights with their defaults */
            readonly rotation?: components["schemas"]["RotationResult"];
            /** @description Of a rotation */
            readonly cash_buffer_pct?: number;
            /** @description Of a rotation */
            readonly rebalance_count?: number;
            /** @description With `survivors`: each metric of the same rotation on the members that have a bar on the last session, less that of the run */
            readonly survivorship_gap?: {
                readonly [key: string]: number | null;
            };
            /** @description Symbols that were not found and skipped because of `skip_unknown`, the first 100 of them; absent if there are none */
            readonly skipped_symbols?: {
                readonly count: number;
                readonly symbols: readonly string[];
            };
            /** @description The session at which a screen chose the instruments */
            readonly screened_on?: string | null;
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            readonly strategy: string;
            /** @description Of the strategy `rules` */
            readonly rules?: components["schemas"]["Rules"];
            readonly saved?: components["schemas"]["SavedStrategyReference"];
            readonly engine_version: string;
            readonly venue_mode: string;
            readonly adjust: string;
            /** Format: date */
            readonly start_date: string;
            /** Format: date */
            readonly end_date: string;
            readonly num_trades: number;
            readonly win_rate: number | null;
            readonly total_pnl_pct: number;
            readonly annualized_pct: number | null;
            readonly max_drawdown_pct: number;
            readonly sharpe: number | null;
            readonly profit_factor: number | null;
            readonly buy_hold_pnl_pct: number;
            readonly excess_return_pct: number;
            readonly max_drawdown_days: number;
            readonly sortino: number | null;
            readonly calmar: number | null;
            readonly exposure_pct: number;
            readonly avg_trade_pct: number | null;
            readonly best_trade_pct: number | null;
            readonly worst_trade_pct: number | null;
            readonly avg_bars_held: number | null;
            readonly final_equity: number;
            /** @description The smaller of purchases and sales ÷ mean equity, a year; null for a single session */
            readonly turnover_pct: number | null;
            readonly avg_positions: number;
            readonly position_summary?: components["schemas"]["PositionSummary"];
            /** @description Of target weights: the initial capital and what went in, less what went out */
            readonly contributed?: number;
            /** @description Of target weights: the yearly rate of the money itself (IRR, calendar days ÷ 365); null where there is none */
            readonly money_weighted_pct?: number | null;
            readonly params: components["schemas"]["StrategyParams"];
            /** @description Own columns that the rules name */
            readonly columns?: readonly components["schemas"]["UsedColumn"][];
            readonly cost: components["schemas"]["RunCost"];
            /** @description The column that was named */
            readonly risk_free?: string;
            readonly cash?: {
                readonly rate: number | string;
                readonly spread_bps: number;
            };
            readonly interest?: components["schemas"]["Interest"];
            readonly data_range: components["schemas"]["BacktestDataRange"];
            readonly data_freshness: {
                readonly distribution_mode: string;
                readonly as_of: string | null;
                readonly delayed: boolean;
            };
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            readonly statistics?: components["schemas"]["RunStatistics"];
            readonly selection?: components["schemas"]["RunSelection"];
            readonly receipt?: components["schemas"]["Receipt"];
            readonly verification?: components["schemas"]["LastVerdict"];
            readonly look_ahead?: components["schemas"]["LookAheadReport"];
            readonly revised?: components["schemas"]["Revised"];
            readonly disclaimer: string;
            /** @description Whether an earlier run computed the figures over the same data */
            readonly cached: boolean;
            readonly trades?: readonly components["schemas"]["PortfolioTrade"][];
            readonly equity?: readonly components["schemas"]["PortfolioEquity"][];
            /** @description At the end of each session */
            readonly positions?: readonly {
                /** Format: date */
                readonly ts: string;
                readonly count: number;
                readonly invested_pct: number | null;
            }[];
            /** @description Largest gain first */
            readonly contributions: readonly {
                readonly symbol: string;
                readonly trades: number;
                readonly pnl: number;
                /** @description Of the summed profit and loss; null where that is 0 */
                readonly pnl_share_pct: number | null;
            }[];
            /** @description Of a rotation: the first 500 */
            readonly rebalances?: readonly components["schemas"]["Rebalance"][];
            /** @description Only if the request asked for it, and of a shared run if it is kept */
            readonly tear_sheet?: components["schemas"]["TearSheet"];
            /**
             * @description The long arrays are cut off, each after a whole row, because they have more bytes than `result_bytes_max` of the plan. The header `X-Truncated: true` and the note `cut_by_plan` say so too; a kept result can be exported in full as CSV.
             * @constant
             */
            readonly truncated?: true;
        };
        /** @description A sale with the part of the purchases that it closes, in the order of the sales. `rebalance`: a part of a position was sold to bring it back to its target; `withdrawal`: for money that was taken out */
        readonly PortfolioTrade: {
            readonly symbol: string;
            readonly seq: number;
            /** Format: date */
            readonly entry_date: string;
            readonly entry_price: number;
            /** Format: date */
            readonly exit_date: string;
            readonly exit_price: number;
            readonly shares: number;
            readonly pnl: number;
            readonly pnl_pct: number;
            readonly bars_held: number;
            readonly commission: number;
            readonly mae_pct: number;
            readonly mfe_pct: number;
            /** @constant */
            readonly entry_reason: "signal";
            /** @enum {string} */
            readonly exit_reason: "trailing_stop" | "signal" | "stop_loss" | "take_profit" | "time_stop" | "end_of_data" | "delisted" | "rebalance" | "withdrawal";
        };
        /** @description Positions, each from the first purchase of a symbol until none of it is left; `trades` has every sale */
        readonly PositionSummary: {
            readonly closed: number;
            readonly won: number;
            readonly win_rate_pct: number | null;
            readonly payoff: number | null;
            readonly profit_factor: number | null;
            readonly expectancy_pct: number | null;
            readonly expectancy: number | null;
            readonly holding_bars: {
                readonly mean: number | null;
                readonly median: number | null;
                readonly longest: number | null;
                readonly mean_wins: number | null;
                readonly mean_losses: number | null;
            };
            /** @description Sales of a part */
            readonly trims: number;
        };
        readonly PreviewArticleData: {
            /** @description The same as HTML: only tags of formatted text, without scripts, styles, or images of other hosts; the top headings are `h2` */
            readonly body_html: string;
        };
        readonly PreviewArticleRequest: {
            readonly body_md: string;
        };
        readonly PreviewDataFilesRequest: {
            /** @description Below `PROVIDER_DIR`; default: all of it */
            readonly folder?: string | "" | null;
            /** @description Instead of a folder */
            readonly files?: readonly {
                readonly name: string;
                /** Format: base64 */
                readonly content: string;
            }[] | null;
        };
        readonly PublishArticleRequest: {
            readonly locales?: readonly ("en" | "zh-CN" | "zh-TW")[] | null;
        };
        readonly QueryJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["QueryResult"] | null;
        };
        readonly QueryResult: {
            readonly columns: readonly {
                readonly name: string;
                /** @enum {string} */
                readonly type: "boolean" | "integer" | "number" | "date" | "text";
            }[];
            readonly rows: readonly (readonly (string | number | boolean | null)[])[];
            readonly truncated: boolean;
            readonly elapsed_ms: number;
            readonly as_of: string;
            readonly data_version: string;
            /** @description Iceberg table → the snapshot that was read */
            readonly snapshots: {
                readonly [key: string]: number;
            };
        };
        readonly Queue: {
            /** @enum {string} */
            readonly queue: "backtest" | "portfolio" | "optimize" | "verify" | "look_ahead" | "tear_sheet" | "screen" | "sql" | "factor_values" | "claims" | "outcomes" | "judge" | "seal" | "column" | "sweep.chunk" | "sweep.assemble" | "verify.sample" | "mail.login_code" | "export" | "export.account" | "export.expire" | "snapshot.build" | "signals.evaluate" | "signals.mail" | "webhooks.deliver" | "lake.write" | "claims.newest" | "forward.append" | "impact" | "impact.mail" | "compare" | "storage.sweep" | "storage.remove" | "backup.write" | "backup.drill" | "sync.symbols" | "sync.adjustments" | "sync.daily_bars";
            readonly waiting: number;
            readonly active: number;
            /** @description Jobs that wait for their next attempt */
            readonly retry: number;
            readonly failed: number;
            /** @description In the last hour */
            readonly completed: number;
            readonly oldest_waiting_s: number | null;
            readonly paused: boolean;
            readonly paused_by: string | null;
            readonly paused_at: string | null;
            /** @description Of the newest completed jobs, at most 1,000 */
            readonly times: {
                readonly jobs: number;
                readonly waiting_s: components["schemas"]["Percentiles"];
                readonly running_s: components["schemas"]["Percentiles"];
            } | null;
        };
        readonly QueueList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Queue"][];
        };
        readonly Quote: {
            readonly symbol: string;
            readonly name: string;
            /** @enum {string} */
            readonly market: "US" | "HK" | "CN";
            readonly currency: string;
            /** @description In the currency of the instrument */
            readonly last: number;
            /** @description In the currency of the instrument */
            readonly open: number;
            /** @description In the currency of the instrument */
            readonly high: number;
            /** @description In the currency of the instrument */
            readonly low: number;
            /** @description The close of the previous bar, adjusted to the share count of today; null on the first day */
            readonly prev_close: number | null;
            readonly change: number | null;
            /** @description Percent */
            readonly change_pct: number | null;
            /** @description Shares */
            readonly volume: number;
            /**
             * Format: date-time
             * @description The close of the session, with UTC offset
             */
            readonly ts: string;
            /** Format: date */
            readonly as_of: string;
            readonly delayed: boolean;
            /** @enum {string} */
            readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
            /** @description The venue basis in the negotiated language */
            readonly venue_mode_label: string;
            readonly timeliness: components["schemas"]["Timeliness"];
            /** @constant */
            readonly source: "eod";
        };
        readonly RateLimitState: {
            readonly limit: number;
            readonly window_seconds: number;
            readonly remaining: number;
            /** @description Unix seconds at which the full limit is available again */
            readonly reset: number;
        };
        readonly RateLimited: {
            /** @description Equals the HTTP status */
            readonly code: number;
            /** @description In the negotiated language */
            readonly message: string;
            readonly data: null;
            /** @description Stable and machine-readable */
            readonly key: string;
            /** @description The fields of the request with problems */
            readonly detail?: readonly components["schemas"]["RequestProblem"][];
            readonly retry_after: number;
        };
        readonly ReadFactorStudy: {
            /** Format: uuid */
            readonly id: string;
            /**
             * @description `queued`: another sweep or study of the account runs. A canceled one no longer exists
             * @enum {string}
             */
            readonly status: "queued" | "running" | "done" | "failed";
            readonly progress_pct: number;
            readonly cells: {
                readonly done: number;
                readonly total: number;
            };
            /** @description Over the last minute; null where no chunk ended in it */
            readonly cells_per_second: number | null;
            /** @description All cells are computed, and the result is put together */
            readonly assembling: boolean;
            /** @description Null while it is assembled */
            readonly seconds_left: number | null;
            readonly chunks: {
                readonly done: number;
                readonly total: number;
                readonly running: number;
            };
            /** @description Worker processes that compute chunks of it now */
            readonly workers: number;
            /** @description On its figures, once it is done */
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            /** Format: date-time */
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
            readonly error: components["schemas"]["RunError"] | null;
            /** @description CPU seconds that its cells have used so far */
            readonly worker_seconds: number;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            /** @description Names */
            readonly factors: readonly string[];
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            /** @description Symbols that were not found and skipped because of `skip_unknown`, the first 100 of them; absent if there are none */
            readonly skipped_symbols?: {
                readonly count: number;
                readonly symbols: readonly string[];
            };
            /** @description The body that repeats it */
            readonly request: components["schemas"]["RunFactorStudyRequest"] | null;
        };
        readonly ReadSweep: {
            /** Format: uuid */
            readonly id: string;
            /**
             * @description `queued`: another sweep or study of the account runs. A canceled one no longer exists
             * @enum {string}
             */
            readonly status: "queued" | "running" | "done" | "failed";
            readonly progress_pct: number;
            readonly cells: {
                readonly done: number;
                readonly total: number;
            };
            /** @description Over the last minute; null where no chunk ended in it */
            readonly cells_per_second: number | null;
            /** @description All cells are computed, and the result is put together */
            readonly assembling: boolean;
            /** @description Null while it is assembled */
            readonly seconds_left: number | null;
            readonly chunks: {
                readonly done: number;
                readonly total: number;
                readonly running: number;
            };
            /** @description Worker processes that compute chunks of it now */
            readonly workers: number;
            /** @description On its figures, once it is done */
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            /** Format: date-time */
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
            readonly error: components["schemas"]["RunError"] | null;
            /** @description CPU seconds that its cells have used so far */
            readonly worker_seconds: number;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly strategies: readonly string[];
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            /** @description Symbols that were not found and skipped because of `skip_unknown`, the first 100 of them; absent if there are none */
            readonly skipped_symbols?: {
                readonly count: number;
                readonly symbols: readonly string[];
            };
            /** @description The session at which a screen chose the universe */
            readonly screened_on: string | null;
            /** @description The body that repeats it, with the rules of saved strategies as texts; null in sweeps of earlier versions */
            readonly request: components["schemas"]["RunSweepRequest"] | null;
        };
        readonly Rebalance: {
            /** Format: date */
            readonly ts: string;
            /** @description Members with a bar that meet `where` */
            readonly eligible: number;
            /** @description Those whose score is defined */
            readonly scored: number;
            readonly entered: readonly string[];
            readonly left: readonly string[];
            /** @description Half the ordered amounts ÷ equity */
            readonly turnover_pct: number | null;
            /** @description After the volatility target, before the cash buffer */
            readonly weights: {
                readonly [key: string]: number;
            };
            /** @description Whether the market filter is true; true without one */
            readonly filter: boolean;
        };
        readonly RebalanceList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Rebalance"][];
        };
        /** @description SHA-256 digests: equal ones prove an equal specification, equal data, and an equal result */
        readonly Receipt: {
            readonly engine_version: string;
            /** @description Of the complete specification as canonical JSON (RFC 8785), every default filled in */
            readonly spec_sha256: string;
            /** @description Of the bars and factors that were read, warm-up included */
            readonly data_sha256: string;
            /**
             * Format: date
             * @description First bar of this data, of any instrument; absent, like `last_bar`, in receipts of earlier versions
             */
            readonly first_bar?: string;
            /**
             * Format: date
             * @description Last bar of this data. Later loads do not change the range of a run
             */
            readonly last_bar?: string;
            /** @description Of figures, statistics, trades, and curves */
            readonly result_sha256: string;
            /** @description Version of the data of this installation */
            readonly data_version: string;
            /**
             * Format: date-time
             * @description Absent in the result of a run, which is the same at any time
             */
            readonly computed_at?: string;
        };
        /** @description As `TearSheet`; what needs positions is null */
        readonly RecordSheet: {
            /** @description Periods */
            readonly sessions: number;
            /** Format: date */
            readonly start_date: string;
            /** Format: date */
            readonly end_date: string;
            /** @description Null, like `time`, for streams that have figures only */
            readonly series: readonly {
                /** Format: date */
                readonly ts: string;
                readonly run: number;
                readonly benchmark: number | null;
                readonly risk_free?: number;
            }[] | null;
            readonly returns: components["schemas"]["TearSheetReturns"];
            readonly benchmark: components["schemas"]["TearSheetBenchmark"] | null;
            readonly regression: null;
            readonly interest: null;
            readonly time: {
                readonly months: readonly {
                    readonly month: string;
                    readonly run_pct: number;
                    readonly benchmark_pct: number | null;
                }[];
                readonly years: readonly {
                    readonly year: number;
                    readonly run_pct: number;
                    readonly benchmark_pct: number | null;
                }[];
                readonly rolling: {
                    readonly 63: readonly {
                        /** Format: date */
                        readonly ts: string;
                        readonly volatility_pct: number;
                        readonly sharpe: number | null;
                        readonly beta: number | null;
                    }[];
                    readonly 252: readonly {
                        /** Format: date */
                        readonly ts: string;
                        readonly volatility_pct: number;
                        readonly sharpe: number | null;
                        readonly beta: number | null;
                    }[];
                };
                /** @description The ten deepest */
                readonly drawdowns: readonly {
                    /** Format: date */
                    readonly peak: string;
                    /** Format: date */
                    readonly valley: string;
                    readonly recovery: string | null;
                    readonly depth_pct: number;
                    readonly bars_down: number;
                    readonly bars_up: number | null;
                }[];
                readonly underwater: readonly {
                    /** Format: date */
                    readonly ts: string;
                    readonly drawdown_pct: number;
                }[];
                readonly exposure_pct: null;
                readonly avg_positions: null;
                readonly turnover_pct: null;
                readonly costs: null;
                readonly concentration: null;
            } | null;
            /** @description Of trades with `entry_date` and `pnl_pct`, at most 100,000 */
            readonly trades: components["schemas"]["TearSheetTrades"] | null;
            readonly chance: components["schemas"]["TearSheetChance"];
            readonly verdict: {
                readonly sentences: readonly {
                    /** @description One for each sentence */
                    readonly key: string;
                    readonly text: string;
                    /** @description The figures that made it, by their places in the sheet */
                    readonly figures: {
                        readonly [key: string]: number;
                    };
                }[];
            };
        };
        readonly RefreshTokensRequest: {
            readonly refresh_token?: string | null;
        };
        readonly ReleaseSessionData: {
            /** @constant */
            readonly released: true;
        };
        readonly RequestLoginCodeData: {
            /** @constant */
            readonly sent: true;
            readonly expires_in: number;
            /** @description Identifies this request for `verify` */
            readonly challenge: string;
        };
        readonly RequestLoginCodeRequest: {
            /** Format: email */
            readonly email: string;
        };
        readonly RequestProblem: {
            readonly loc: readonly (string | number)[];
            readonly msg: string;
            readonly type: string;
            /** @description The position in the text of a rule: characters `from` (included) to `to` (excluded) */
            readonly position?: {
                readonly from: number;
                readonly to: number;
            };
            /** @description The text of the rule at that position */
            readonly found?: string;
            /** @description What is expected there: signs, names, or `number`, `name`, `$parameter`, `ticker`, `end` */
            readonly expected?: readonly string[];
        };
        readonly RetryDeliveriesData: {
            /** @description Deliveries that are sent again */
            readonly count: number;
        };
        readonly RetryDeliveriesRequest: {
            /** @description An ISO time with its offset, or YYYY-MM-DD for the first moment of the day (UTC) */
            readonly from: string;
            /** @description An ISO time with its offset, or YYYY-MM-DD for the last moment of the day (UTC) */
            readonly to: string;
            /** @default true */
            readonly failed_only?: boolean | null;
        };
        readonly RetryFailedJobsData: {
            readonly queue: string;
            /** Format: date-time */
            readonly failed_before: string;
            readonly job_ids: readonly string[];
            readonly retried: number;
            /** @description Jobs whose request has ended, or that are already running */
            readonly skipped: number;
        };
        readonly RetryFailedJobsRequest: {
            /**
             * @description Only list the jobs that would be retried
             * @default false
             */
            readonly dry_run?: boolean | null;
            /** @description Only jobs that failed before this time; a date includes the whole day (UTC). Default: now */
            readonly failed_before?: string | null;
            /** @description Only jobs with this cause, as `/api/admin/jobs/failures` names it */
            readonly cause?: string | null;
        };
        /** @description The last load that changed the figures of a kept run */
        readonly Revised: {
            readonly load: number;
            /** Format: date-time */
            readonly at: string;
            readonly before: components["schemas"]["ImpactFigures"] | null;
            readonly after: components["schemas"]["ImpactFigures"] | null;
        };
        /** @description As traded */
        readonly RevisedBar: {
            readonly open: number;
            readonly high: number;
            readonly low: number;
            readonly close: number;
            readonly volume: number;
        };
        readonly RevisedEvent: {
            /** @enum {string} */
            readonly kind: "split" | "reverse_split" | "stock_dividend" | "cash_dividend" | "spin_off";
            /** Format: date */
            readonly ex_date: string;
            readonly factor: number;
        };
        /** @description A bar or an event that a load changed after it had been served */
        readonly Revision: {
            readonly id: number;
            readonly symbol: string | null;
            /** Format: date */
            readonly date: string;
            readonly sync_job_id: number | null;
            /** Format: date-time */
            readonly at: string;
            /** @constant */
            readonly kind: "bar";
            /** @enum {string} */
            readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
            readonly was: components["schemas"]["RevisedBar"] | null;
            readonly is: components["schemas"]["RevisedBar"] | null;
        } | {
            readonly id: number;
            readonly symbol: string | null;
            /** Format: date */
            readonly date: string;
            readonly sync_job_id: number | null;
            /** Format: date-time */
            readonly at: string;
            /** @constant */
            readonly kind: "event";
            readonly was: components["schemas"]["RevisedEvent"] | null;
            readonly is: components["schemas"]["RevisedEvent"] | null;
        };
        readonly RevisionList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Revision"][];
            /** @description Of the items, with their impact on kept runs */
            readonly loads: readonly components["schemas"]["LoadImpact"][];
        };
        readonly Rotation: {
            /** @description The last session of each period, or every so many sessions */
            readonly every: ("week" | "month" | "quarter") | {
                readonly sessions: number | string;
            };
            /**
             * @description Sessions later
             * @default 0
             */
            readonly offset?: number | null;
            /** @description A value that the members are ranked by */
            readonly score: string;
            /**
             * @default desc
             * @enum {string|null}
             */
            readonly order?: "desc" | "asc" | null;
            readonly hold: {
                readonly top: number | string;
            } | {
                readonly top_pct: number;
            };
            /** @description Names that are held stay while they rank within it */
            readonly keep?: {
                readonly top: number | string;
            } | {
                readonly top_pct: number;
            } | null;
            readonly weights?: components["schemas"]["RotationWeights"] | null;
            readonly target_volatility_pct?: number | null;
            /** @description A condition on other instruments: while it is false nothing is held */
            readonly market_filter?: string | null;
            readonly exits?: components["schemas"]["RotationExits"] | null;
        };
        /** @description Looked at on every session but those of rebalances */
        readonly RotationExits: {
            /** @default 0 */
            readonly stop_loss_pct?: number | null;
            /** @default 0 */
            readonly take_profit_pct?: number | null;
            /** @description A price, as in the rules of a strategy */
            readonly stop?: string | null;
            /** @description A price that only rises, as in the rules of a strategy */
            readonly trail?: string | null;
        };
        readonly RotationResult: {
            readonly every: string | {
                readonly sessions: number | string;
            };
            readonly offset: number;
            readonly score: string;
            readonly order: string;
            readonly hold: {
                readonly top: number | string;
            } | {
                readonly top_pct: number;
            };
            readonly keep?: {
                readonly top: number | string;
            } | {
                readonly top_pct: number;
            };
            readonly weights: {
                readonly method: string;
                readonly lookback: number;
                readonly covariance: string;
                readonly max_weight: number;
                readonly min_weight: number;
                readonly fixed?: {
                    readonly [key: string]: number;
                };
            };
            readonly target_volatility_pct?: number;
            readonly market_filter?: string;
            readonly exits?: {
                readonly stop_loss_pct: number;
                readonly take_profit_pct: number;
                readonly stop?: string;
                readonly trail?: string;
            };
        };
        /** @description Either `symbols` or `all`: every instrument with a bar at the session, delisted and renamed ones included */
        readonly RotationUniverse: {
            readonly symbols?: readonly string[];
            /** @constant */
            readonly all?: true;
            /** @description With `all`. Default: every type */
            readonly asset_type?: string | readonly string[];
            /** @description A condition, at each rebalance: those that meet it are ranked. It may compare the members */
            readonly where?: string;
        };
        /** @description Either `symbols` or `all`: every instrument with a bar at the session, delisted and renamed ones included */
        readonly RotationUniverseInput: {
            readonly symbols?: readonly string[] | null;
            readonly all?: true | null;
            /** @description With `all`. Default: every type */
            readonly asset_type?: string | readonly string[] | null;
            /** @description A condition, at each rebalance: those that meet it are ranked. It may compare the members */
            readonly where?: string | null;
        };
        readonly RotationUniverseResult: {
            readonly symbols?: readonly string[];
            readonly all?: boolean;
            readonly asset_type?: readonly string[];
            readonly where?: string;
        };
        readonly RotationWeights: {
            /**
             * @default equal
             * @enum {string|null}
             */
            readonly method?: "equal" | "score" | "inverse_volatility" | "min_variance" | "risk_parity" | "hrp" | "max_diversification" | "fixed" | null;
            /**
             * @description Sessions
             * @default 252
             */
            readonly lookback?: number | null;
            /**
             * @default sample
             * @enum {string|null}
             */
            readonly covariance?: "sample" | "ledoit_wolf" | null;
            /** @default 1 */
            readonly max_weight?: number | null;
            /**
             * @description Only with `min_variance` and `max_diversification`
             * @default 0
             */
            readonly min_weight?: number | null;
            /** @description With the method `fixed`: symbol → weight, 1 at most in all. A name without one has 0 */
            readonly fixed?: {
                readonly [key: string]: number;
            } | null;
        };
        readonly RuleCheck: {
            readonly problems: readonly {
                readonly msg: string;
                readonly position: {
                    readonly from: number;
                    readonly to: number;
                };
                readonly expected: readonly string[];
            }[];
            readonly parameters: readonly {
                readonly name: string;
                readonly min: number;
                readonly max: number;
            }[];
            /** @description What could be written at the cursor, in place of the text at `position` */
            readonly completions: {
                readonly position: {
                    readonly from: number;
                    readonly to: number;
                };
                readonly choices: readonly {
                    readonly text: string;
                    readonly usage: string;
                    readonly description: string;
                }[];
            };
        };
        readonly RuleValues: {
            readonly symbol: string;
            readonly name: string;
            /** @constant */
            readonly market: "US";
            readonly currency: string;
            /** @enum {string} */
            readonly period: "day" | "week" | "month";
            /** @enum {string} */
            readonly adjust: "none" | "qfq" | "total";
            /** @description Whether the plan has cut off candles of the requested range */
            readonly limited_by_plan: boolean;
            readonly count: number;
            /** @description The candles, oldest first */
            readonly dates: readonly string[];
            readonly values: readonly {
                /** @description As it was asked for */
                readonly value: string;
                /**
                 * @description `price`: it can be drawn over the candles
                 * @enum {string}
                 */
                readonly unit: "price" | "shares" | "money" | "other";
                /** @description One for each date; null: undefined */
                readonly figures: readonly (number | null)[];
            }[];
        };
        /** @description With `strategy: "rules"`. `$name` is replaced by a number in `params`. `error.rule_invalid` says what is wrong and where. */
        readonly Rules: {
            /** @description A condition: when it buys */
            readonly entry: string;
            /** @description A condition: when it sells (`signal`) */
            readonly exit?: string;
            /** @description A price, computed at each bar: sells at a close below it (`stop_loss`) */
            readonly stop?: string;
            /** @description A price that only rises while a position is held: sells at a close below it (`trailing_stop`) */
            readonly trail?: string;
        };
        /** @description With `strategy: "rules"`. `$name` is replaced by a number in `params`. `error.rule_invalid` says what is wrong and where. */
        readonly RulesInput: {
            /** @description A condition: when it buys */
            readonly entry: string;
            /** @description A condition: when it sells (`signal`) */
            readonly exit?: string | null;
            /** @description A price, computed at each bar: sells at a close below it (`stop_loss`) */
            readonly stop?: string | null;
            /** @description A price that only rises while a position is held: sells at a close below it (`trailing_stop`) */
            readonly trail?: string | null;
        };
        /** @description The strategy's parameters may also be given at the top level; those in `params` take precedence */
        readonly RunBacktestRequest: {
            /** @description A ticker with or without `.US`, in any case */
            readonly symbol: string;
            /** @default chandelier */
            readonly strategy?: components["schemas"]["StrategyCode"] | null;
            readonly rules?: components["schemas"]["GivenRulesInput"] | null;
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
            /** @description The strategy's parameters, as its `params_schema` describes them */
            readonly params?: {
                readonly [key: string]: unknown;
            } | null;
            /**
             * @default close
             * @enum {string|null}
             */
            readonly execute_on?: "close" | "next_open" | null;
            /** @default split */
            readonly adjust?: components["schemas"]["AdjustMode"] | null;
            readonly cost?: components["schemas"]["CostInput"] | null;
            /** @description The market column of the risk-free rate, in percent a year, which the ratios of the tear sheet and `skill` are above. Default: the rate of `cash`, or 0 */
            readonly risk_free?: string | null;
            readonly cash?: components["schemas"]["CashRateInput"] | null;
            /** @description Only `consolidated` is accepted */
            readonly venue_mode?: string | null;
            /** @default true */
            readonly include_klines?: boolean | null;
            /** @default true */
            readonly include_trades?: boolean | null;
            /** @default true */
            readonly include_equity?: boolean | null;
            /**
             * @description Whether to compute `statistics` and `selection`, which takes some milliseconds
             * @default true
             */
            readonly include_statistics?: boolean | null;
            /**
             * @description Whether to compute a tear sheet too. It changes nothing else in the result
             * @default false
             */
            readonly tear_sheet?: boolean | null;
            /** @description What the tear sheet compares the run with: a symbol, `buy_hold` of the instrument (the default of a backtest), or `equal_weight` of all instruments. For one instrument both are the same */
            readonly benchmark?: ("buy_hold" | "equal_weight") | string | null;
            /** @description Symbols whose returns explain those of the run in the `regression` of the tear sheet */
            readonly factors?: readonly string[] | null;
            /**
             * @description Whether the account keeps the result. Results of guests are never kept
             * @default true
             */
            readonly save?: boolean | null;
        };
        readonly RunClaimsRequest: {
            /** @description Default: all that can be run */
            readonly codes?: readonly ("mom_12_1" | "mom_6_1" | "mom_12_7" | "reversal_1m" | "reversal_36_13" | "high_52w" | "mom_reversal" | "mom_volume" | "mom_young" | "season_1" | "season_2_5" | "season_6_10" | "season_11_15" | "season_16_20" | "off_season_1" | "off_season_2_5" | "off_season_6_10" | "off_season_11_15" | "off_season_16_20" | "low_price" | "size" | "beta" | "low_beta" | "coskewness_d" | "coskewness_m" | "idio_vol_21" | "idio_vol_252" | "volatility_21" | "max_21" | "skew_21" | "delay_r2" | "delay_slope" | "amihud" | "dollar_volume" | "turnover" | "turnover_sd" | "volume_sd" | "zero_days_6" | "zero_days_12" | "volume_to_size" | "volume_trend" | "spread_hl" | "issuance_1y" | "issuance_5y" | "dividend_start" | "dividend_stop" | "dividend_month" | "dividend_yield_next" | "age" | "new_listing")[] | null;
            /**
             * @default {
             *       "all": true,
             *       "asset_type": "stock"
             *     }
             */
            readonly universe?: components["schemas"]["RotationUniverseInput"] | null;
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
        };
        readonly RunCost: {
            readonly commission_rate: number;
            readonly min_commission: number;
            readonly slippage_bps: number;
            readonly initial_capital: number;
            readonly execute_on: string;
        };
        readonly RunError: {
            readonly code: number;
            readonly key: string;
            readonly message: string;
        };
        readonly RunFactorStudyRequest: {
            readonly universe: components["schemas"]["RotationUniverse"];
            readonly factors: readonly {
                /** @description Different from the others */
                readonly name: string;
                /** @description A value, which may compare the members: they are ordered by it */
                readonly value: string;
            }[];
            /**
             * @description Sessions of forward returns; `step`: to the next session that is looked at
             * @default [
             *       1,
             *       5,
             *       21
             *     ]
             */
            readonly horizons?: readonly (number | "step")[];
            /** @default 5 */
            readonly quantiles?: number;
            /**
             * @description Looked at: every session, or the last one of each period
             * @default month
             * @enum {string}
             */
            readonly every?: "day" | "week" | "month";
            /**
             * @description Sessions between a value and the close that its forward return begins at
             * @default 0
             */
            readonly delay?: 0 | 1;
            /**
             * @description The group whose mean forward return is taken off: `market`, `asset_type`, `venue`, or labels of an own column, `my('sector')`
             * @default market
             */
            readonly neutral?: ("market" | "asset_type" | "venue") | string;
            readonly portfolio?: components["schemas"]["LongShortRule"];
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"];
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string;
            /** Format: date */
            readonly end?: string;
            /** @default total */
            readonly adjust?: components["schemas"]["AdjustMode"];
        };
        readonly RunFactorStudyRequestInput: {
            readonly universe: components["schemas"]["RotationUniverseInput"];
            readonly factors: readonly {
                /** @description Different from the others */
                readonly name: string;
                /** @description A value, which may compare the members: they are ordered by it */
                readonly value: string;
            }[];
            /**
             * @description Sessions of forward returns; `step`: to the next session that is looked at
             * @default [
             *       1,
             *       5,
             *       21
             *     ]
             */
            readonly horizons?: readonly (number | "step")[] | null;
            /** @default 5 */
            readonly quantiles?: number | null;
            /**
             * @description Looked at: every session, or the last one of each period
             * @default month
             * @enum {string|null}
             */
            readonly every?: "day" | "week" | "month" | null;
            /**
             * @description Sessions between a value and the close that its forward return begins at
             * @default 0
             */
            readonly delay?: 0 | 1 | null;
            /**
             * @description The group whose mean forward return is taken off: `market`, `asset_type`, `venue`, or labels of an own column, `my('sector')`
             * @default market
             */
            readonly neutral?: ("market" | "asset_type" | "venue") | string | null;
            readonly portfolio?: components["schemas"]["LongShortRuleInput"] | null;
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
            /** @default total */
            readonly adjust?: components["schemas"]["AdjustMode"] | null;
        };
        readonly RunNeighborsRequest: {
            /** @description A ticker with or without `.US`, in any case */
            readonly symbol: string;
            /** @default chandelier */
            readonly strategy?: components["schemas"]["StrategyCode"] | null;
            readonly rules?: components["schemas"]["GivenRulesInput"] | null;
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
            /** @description The strategy's parameters, as its `params_schema` describes them */
            readonly params?: {
                readonly [key: string]: unknown;
            } | null;
            /**
             * @default close
             * @enum {string|null}
             */
            readonly execute_on?: "close" | "next_open" | null;
            /** @default split */
            readonly adjust?: components["schemas"]["AdjustMode"] | null;
            readonly cost?: components["schemas"]["CostInput"] | null;
            /** @description The market column of the risk-free rate, in percent a year, which the ratios of the tear sheet and `skill` are above. Default: the rate of `cash`, or 0 */
            readonly risk_free?: string | null;
            readonly cash?: components["schemas"]["CashRateInput"] | null;
            /** @description The parameter whose values are tried */
            readonly vary: string;
        };
        readonly RunNestedBacktestRequest: {
            /** @description A ticker with or without `.US`, in any case */
            readonly symbol: string;
            /** @default chandelier */
            readonly strategy?: components["schemas"]["StrategyCode"] | null;
            readonly rules?: components["schemas"]["GivenRulesInput"] | null;
            readonly range?: components["schemas"]["RunNestedBacktestRequestRange"] | null;
            /** @description The strategy's parameters, as its `params_schema` describes them */
            readonly params?: {
                readonly [key: string]: unknown;
            } | null;
            /** @default split */
            readonly adjust?: components["schemas"]["AdjustMode"] | null;
            readonly execution?: components["schemas"]["RunNestedBacktestRequestExecution"] | null;
            /** @description The market column of the risk-free rate, in percent a year, which the ratios of the tear sheet and `skill` are above. Default: the rate of `cash`, or 0 */
            readonly risk_free?: string | null;
            readonly cash?: components["schemas"]["CashRateInput"] | null;
            /** @description Only `consolidated` is accepted */
            readonly venue_mode?: string | null;
            readonly include?: components["schemas"]["RunNestedBacktestRequestInclude"] | null;
            /**
             * @description Whether to compute a tear sheet too. It changes nothing else in the result
             * @default false
             */
            readonly tear_sheet?: boolean | null;
            /** @description What the tear sheet compares the run with: a symbol, `buy_hold` of the instrument (the default of a backtest), or `equal_weight` of all instruments. For one instrument both are the same */
            readonly benchmark?: ("buy_hold" | "equal_weight") | string | null;
            /** @description Symbols whose returns explain those of the run in the `regression` of the tear sheet */
            readonly factors?: readonly string[] | null;
            /** @default true */
            readonly save?: boolean | null;
        };
        readonly RunNestedBacktestRequestExecution: {
            /**
             * @default close
             * @enum {string|null}
             */
            readonly execute_on?: "close" | "next_open" | null;
            readonly cost?: components["schemas"]["CostInput"] | null;
        };
        readonly RunNestedBacktestRequestInclude: {
            /** @default true */
            readonly klines?: boolean | null;
            /** @default true */
            readonly trades?: boolean | null;
            /** @default true */
            readonly equity?: boolean | null;
            /**
             * @description Whether to compute `statistics` and `selection`, which takes some milliseconds
             * @default true
             */
            readonly statistics?: boolean | null;
        };
        readonly RunNestedBacktestRequestRange: {
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /** Format: date */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
        };
        readonly RunOptimizationRequest: {
            /** @description One instrument; for a portfolio, use `symbols` instead */
            readonly symbol?: string | null;
            /** @default chandelier */
            readonly strategy?: components["schemas"]["StrategyCode"] | null;
            readonly rules?: components["schemas"]["GivenRulesInput"] | null;
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
            /** @default split */
            readonly adjust?: components["schemas"]["AdjustMode"] | null;
            readonly cost?: components["schemas"]["CostInput"] | null;
            /** @description The market column of the risk-free rate, in percent a year, which the ratios of the tear sheet and `skill` are above. Default: the rate of `cash`, or 0 */
            readonly risk_free?: string | null;
            readonly cash?: components["schemas"]["CashRateInput"] | null;
            /**
             * @description Whether to compute `statistics` and `selection`, which takes some milliseconds
             * @default true
             */
            readonly include_statistics?: boolean | null;
            /** @description A repeated symbol counts once; the plan limits their number */
            readonly symbols?: readonly string[] | null;
            /** @description Instead of `symbols`: what the screen finds at the last session before the range. Not with `MAX` */
            readonly screen?: components["schemas"]["ScreenUniverseInput"] | null;
            /**
             * @description Whether to skip symbols that are not found, instead of refusing them
             * @default false
             */
            readonly skip_unknown?: boolean | null;
            readonly allocation?: components["schemas"]["Allocation"] | null;
            readonly benchmark?: ("buy_hold" | "equal_weight") | string | null;
            /**
             * @description Default: `close`; of a rotation `next_open`
             * @enum {string|null}
             */
            readonly execute_on?: "close" | "next_open" | null;
            /** @description With `rotation` */
            readonly universe?: components["schemas"]["RotationUniverseInput"] | null;
            /** @description A rotation whose `$parameters`, in its rules and counts, are those of the grid; instead of a strategy */
            readonly rotation?: components["schemas"]["Rotation"] | null;
            /** @description With `rotation`. Default: 0 */
            readonly cash_buffer_pct?: number | null;
            /** @description Parameters outside the grid; default: those of the strategy */
            readonly params?: {
                readonly [key: string]: unknown;
            } | null;
            /** @description Per parameter a list of values, or `{from, to, step}`. At least one parameter, and at most 5000 combinations, of which the strategy must allow at least one */
            readonly grid: {
                readonly [key: string]: readonly (number | string | boolean)[] | {
                    readonly from: number;
                    readonly to: number;
                    readonly step: number;
                };
            };
            /**
             * @default sharpe
             * @enum {string|null}
             */
            readonly objective?: "sharpe" | "sortino" | "calmar" | "total_pnl_pct" | "annualized_pct" | "excess_return_pct" | "profit_factor" | "win_rate" | null;
            /** @description Two parameters of the grid to compare */
            readonly heatmap?: readonly [
                string,
                string
            ] | null;
            /** @description Chooses parameters on `train_bars` bars, trades the next `test_bars` bars with them, and moves ahead by `test_bars` to the end of the range, which must hold a whole window. */
            readonly walk_forward?: components["schemas"]["RunOptimizationRequestWalkForward"] | null;
            /**
             * @description Whether to compute the tear sheet of the walk forward too
             * @default false
             */
            readonly tear_sheet?: boolean | null;
            /** @description Symbols whose returns explain those of the run in the `regression` of the tear sheet */
            readonly factors?: readonly string[] | null;
        };
        readonly RunOptimizationRequestWalkForward: {
            readonly train_bars: number;
            readonly test_bars: number;
        };
        readonly RunOutcomesRequest: {
            /** @description A condition, which may compare the members: each session at which it is true is a hit */
            readonly condition: string;
            /** @description Members whose hits count. Default: all */
            readonly for?: readonly string[] | null;
            /** @description Default: all of the type of the first of `for`, or else all stocks */
            readonly universe?: components["schemas"]["RotationUniverseInput"] | null;
            /**
             * @description Whether a hit is only the beginning of a state; with `sessions`, and none lies so many before it
             * @default true
             */
            readonly first?: boolean | {
                readonly sessions: number;
            } | null;
            /**
             * @description Sessions after a hit
             * @default [
             *       1,
             *       5,
             *       20
             *     ]
             */
            readonly horizons?: readonly number[] | null;
            /**
             * @description The close of the hit, or the next own open
             * @default close
             * @enum {string|null}
             */
            readonly entry?: "close" | "next_open" | null;
            /**
             * @description With the others on the same days, with the instrument on all days, or with nothing
             * @default same_day
             * @enum {string|null}
             */
            readonly compare?: "same_day" | "own" | "none" | null;
            /** @description A condition that hits are told apart by */
            readonly by?: string | null;
            /** @default total */
            readonly adjust?: components["schemas"]["AdjustMode"] | null;
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
            /**
             * @description Whether the account keeps the result. Results of guests are never kept
             * @default true
             */
            readonly save?: boolean | null;
        };
        readonly RunPortfolioData: components["schemas"]["PortfolioResult"] | components["schemas"]["ComparedPortfolios"];
        readonly RunPortfolioRequest: {
            /** @description With `rotation` */
            readonly universe?: components["schemas"]["RotationUniverseInput"] | null;
            /** @description Holds the best of a universe and looks again on a schedule; instead of `strategy`, `rules`, `symbols`, `screen`, and `allocation` */
            readonly rotation?: components["schemas"]["Rotation"] | null;
            /** @description With `rotation`. Default: 0 */
            readonly cash_buffer_pct?: number | null;
            /** @description With `rotation`: whether to run it again on those that have a bar on the last session */
            readonly survivors?: boolean | null;
            /** @description A repeated symbol counts once; the plan limits their number */
            readonly symbols?: readonly string[] | null;
            /** @description Instead of `symbols`: what the screen finds at the last session before the range. Not with `MAX` */
            readonly screen?: components["schemas"]["ScreenUniverseInput"] | null;
            readonly skip_unknown?: boolean | null;
            readonly strategy?: components["schemas"]["StrategyCode"] | null;
            readonly rules?: components["schemas"]["GivenRulesInput"] | null;
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
            /** @description The strategy's parameters, as its `params_schema` describes them */
            readonly params?: {
                readonly [key: string]: unknown;
            } | null;
            /**
             * @description Default: `close`; of a rotation `next_open`
             * @enum {string|null}
             */
            readonly execute_on?: "close" | "next_open" | null;
            /** @default split */
            readonly adjust?: components["schemas"]["AdjustMode"] | null;
            readonly cost?: components["schemas"]["CostInput"] | null;
            /** @description The market column of the risk-free rate, in percent a year, which the ratios of the tear sheet and `skill` are above. Default: the rate of `cash`, or 0 */
            readonly risk_free?: string | null;
            readonly cash?: components["schemas"]["CashRateInput"] | null;
            /** @description Only `consolidated` is accepted */
            readonly venue_mode?: string | null;
            readonly allocation?: components["schemas"]["PortfolioAllocation"] | null;
            /** @description Instead of `allocation`: portfolios of target weights that one job runs; none is kept */
            readonly compare?: readonly {
                readonly name: string;
                readonly allocation: components["schemas"]["TargetAllocation"];
            }[] | null;
            /**
             * @description `equal_weight` or `buy_hold`: equal amounts in all instruments that have a bar on the first session; or the symbol of one instrument. Bought once, without costs
             * @default equal_weight
             */
            readonly benchmark?: ("buy_hold" | "equal_weight") | string | null;
            /**
             * @description Whether to compute a tear sheet too. It changes nothing else in the result
             * @default false
             */
            readonly tear_sheet?: boolean | null;
            /** @description Symbols whose returns explain those of the run in the `regression` of the tear sheet */
            readonly factors?: readonly string[] | null;
            /** @default true */
            readonly include_trades?: boolean | null;
            /**
             * @description Equity by session, and the positions with it
             * @default true
             */
            readonly include_equity?: boolean | null;
            /**
             * @description Whether to compute `statistics` and `selection`, which takes some milliseconds
             * @default true
             */
            readonly include_statistics?: boolean | null;
            /**
             * @description Whether the account keeps the result. Results of guests are never kept
             * @default true
             */
            readonly save?: boolean | null;
        };
        readonly RunQueryRequest: {
            readonly query: string;
            /**
             * @default json
             * @enum {string|null}
             */
            readonly format?: "json" | "csv" | "parquet" | "arrow" | "arrow_stream" | null;
            /**
             * @description Rows at most
             * @default 1000
             */
            readonly limit?: number | null;
            /** @description The market as known after this load: a `data_version`, or the id of a snapshot of an Iceberg table */
            readonly as_of_load?: number | string | null;
        };
        readonly RunScreenerRequest: {
            /**
             * @description Applies its own conditions and sort; `conditions`, `where`, and `sort` are ignored
             * @enum {string|null}
             */
            readonly preset?: "trend_breakout" | "pullback_entry" | "volume_surge" | "low_vol_trend" | null;
            /**
             * @description All conditions must hold. Figures are rounded to six decimals before they are compared
             * @default []
             */
            readonly conditions?: readonly components["schemas"]["ScreenConditionInput"][] | null;
            /** @description Instead of `conditions`: a rule that must hold at the last bar of the instrument's whole history. The call waits for a job if the rule looks back further than 259 bars, uses exponential averages of more than 252, compares instruments, or names another one. Instruments are compared with those that have a bar at the session */
            readonly where?: string | null;
            /** @description Further figures, at most 40: name → a value in the language of rules */
            readonly columns?: {
                readonly [key: string]: string;
            } | null;
            /**
             * @description Whether `columns` also has the `values` that the conditions compare, by their text
             * @default false
             */
            readonly condition_columns?: boolean | null;
            readonly sort?: components["schemas"]["ScreenSortInput"] | null;
            /** @description Default: stock and etf. An asset type that no instrument has is refused */
            readonly asset_type?: string | readonly string[] | null;
            /** @description Instead of `asset_type`: these instruments only, which rules then compare with each other */
            readonly symbols?: readonly string[] | null;
            /** @default 100 */
            readonly limit?: number | null;
            /** @default 0 */
            readonly offset?: number | null;
            /**
             * Format: date
             * @description A past session: the screen as it was seen then, without later corrections
             */
            readonly as_of?: string | null;
            /** @description The market as known after this load: a `data_version`, or the id of a snapshot of an Iceberg table */
            readonly as_of_load?: number | string | null;
            /**
             * @description How many of the newest closes each item has, on the share count of the last of them
             * @default 0
             */
            readonly closes?: number | null;
            readonly history?: components["schemas"]["ScreenHistoryRequest"] | null;
        };
        /** @description The figures that depend on the account's history. They are fixed when the result is made and are not part of its digest */
        readonly RunSelection: {
            /** @description Distinct combinations that the account has computed for this instrument and strategy with the same adjustment and execution, these included; for a guest, those of this call */
            readonly trials: number;
            /** @description Largest Sharpe ratio to expect of them without skill, in deviations */
            readonly emax: number;
            /** @description Years that the best must last to be above so many tries */
            readonly min_backtest_years: number | null;
            /** @description The same of all that the account has computed within 365 days, beyond the market; null for a guest */
            readonly account?: {
                readonly runs: number;
                readonly emax: number;
                readonly hurdle: number | null;
                readonly dsr: number | null;
            } | null;
        };
        readonly RunSessionStepRequest: {
            /** @enum {string} */
            readonly step: "load_primary_session" | "load_consolidated" | "load_single_venue" | "check" | "snapshot" | "lake" | "signals" | "webhooks" | "impact";
            /**
             * Format: date
             * @description The session, or the first one
             */
            readonly start: string;
            /**
             * Format: date
             * @description The last session of a load or check; default: `start`
             */
            readonly end?: string | null;
            /**
             * @description Only tell the consequences
             * @default false
             */
            readonly dry_run?: boolean | null;
        };
        /** @description Absent with `include_statistics: false`. A figure is null where it is not defined */
        readonly RunStatistics: {
            /** @description Probability that the true Sharpe ratio is above 0, as every run has it in a rising market */
            readonly psr: number | null;
            /** @description Bars that the Sharpe ratio must last to be above 0 with 95% confidence */
            readonly min_track_record_bars: number | null;
            /** @description 5th and 95th percentile of the annualized Sharpe ratio over 1,000 stationary bootstrap resamples */
            readonly sharpe_interval: readonly [
                number,
                number
            ] | null;
            /** @description 5th and 95th percentile of the annualized return in percent, over the same resamples */
            readonly annualized_interval: readonly [
                number,
                number
            ] | null;
            /** @description Mean block length of the resamples in bars */
            readonly block_length: number | null;
            /** @description Seed of the draws: the first 8 bytes of `spec_sha256` */
            readonly seed: string;
            /** @description Returns, one for each bar of the range */
            readonly returns: number;
            /** @description Earned beyond the market that was held; null below 60 bars */
            readonly skill?: components["schemas"]["Skill"] | null;
            /** @description The meaning of the figures, in the language of the answer */
            readonly sentences: readonly string[];
        };
        readonly RunSweepRequest: {
            /** @description `all`: every instrument of the market, delisted ones included; `symbols`; or a `screen`, taken at the last session before the range */
            readonly universe: "all" | {
                readonly symbols: readonly string[];
                /** @description Only these; default: every type */
                readonly asset_type?: string | readonly string[];
            } | {
                /** @constant */
                readonly all: true;
                /** @description Only these; default: every type */
                readonly asset_type?: string | readonly string[];
            } | {
                readonly screen: components["schemas"]["ScreenUniverse"];
            };
            /**
             * @description Whether to skip symbols that are not found, instead of refusing them
             * @default false
             */
            readonly skip_unknown?: boolean;
            /** @description At most 5000 combinations in all */
            readonly runs: readonly {
                /** @default chandelier */
                readonly strategy?: components["schemas"]["StrategyCode"];
                readonly rules?: components["schemas"]["GivenRules"];
                /** @description The strategy's parameters, as its `params_schema` describes them */
                readonly params?: {
                    readonly [key: string]: unknown;
                };
                /** @description Values, or `{from, to, step}`, per parameter. Without a grid there is one combination, that of `params` */
                readonly grid?: {
                    readonly [key: string]: readonly (number | string | boolean)[] | {
                        readonly from: number;
                        readonly to: number;
                        readonly step: number;
                    };
                };
            }[];
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"];
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string;
            /** Format: date */
            readonly end?: string;
            /**
             * @default close
             * @enum {string}
             */
            readonly execute_on?: "close" | "next_open";
            /** @default split */
            readonly adjust?: components["schemas"]["AdjustMode"];
            readonly cost?: components["schemas"]["Cost"];
            /** @description The market column of the risk-free rate, in percent a year, which the ratios of the tear sheet and `skill` are above. Default: the rate of `cash`, or 0 */
            readonly risk_free?: string;
            readonly cash?: components["schemas"]["CashRate"];
        };
        readonly RunSweepRequestInput: {
            /** @description `all`: every instrument of the market, delisted ones included; `symbols`; or a `screen`, taken at the last session before the range */
            readonly universe: "all" | {
                readonly symbols: readonly string[];
                /** @description Only these; default: every type */
                readonly asset_type?: string | readonly string[] | null;
            } | {
                /** @constant */
                readonly all: true;
                /** @description Only these; default: every type */
                readonly asset_type?: string | readonly string[] | null;
            } | {
                readonly screen: components["schemas"]["ScreenUniverseInput"];
            };
            /**
             * @description Whether to skip symbols that are not found, instead of refusing them
             * @default false
             */
            readonly skip_unknown?: boolean | null;
            /** @description At most 5000 combinations in all */
            readonly runs: readonly {
                /** @default chandelier */
                readonly strategy?: components["schemas"]["StrategyCode"] | null;
                readonly rules?: components["schemas"]["GivenRulesInput"] | null;
                /** @description The strategy's parameters, as its `params_schema` describes them */
                readonly params?: {
                    readonly [key: string]: unknown;
                } | null;
                /** @description Values, or `{from, to, step}`, per parameter. Without a grid there is one combination, that of `params` */
                readonly grid?: {
                    readonly [key: string]: readonly (number | string | boolean)[] | {
                        readonly from: number;
                        readonly to: number;
                        readonly step: number;
                    };
                } | null;
            }[];
            /** @default 1Y */
            readonly time_range?: components["schemas"]["TimeRange"] | null;
            /**
             * Format: date
             * @description Overrides `time_range`
             */
            readonly start?: string | null;
            /** Format: date */
            readonly end?: string | null;
            /**
             * @default close
             * @enum {string|null}
             */
            readonly execute_on?: "close" | "next_open" | null;
            /** @default split */
            readonly adjust?: components["schemas"]["AdjustMode"] | null;
            readonly cost?: components["schemas"]["CostInput"] | null;
            /** @description The market column of the risk-free rate, in percent a year, which the ratios of the tear sheet and `skill` are above. Default: the rate of `cash`, or 0 */
            readonly risk_free?: string | null;
            readonly cash?: components["schemas"]["CashRateInput"] | null;
        };
        /** @description Its default value, and the range that a run may choose from */
        readonly SavedParameter: {
            readonly default: number;
            readonly min?: number;
            readonly max?: number;
        };
        /** @description Its default value, and the range that a run may choose from */
        readonly SavedParameterInput: {
            readonly default: number;
            readonly min?: number | null;
            readonly max?: number | null;
        };
        readonly SavedRules: {
            /** @description A strategy of `/v1/my/strategies` */
            readonly saved: number;
            /** @description Default: the newest */
            readonly version?: number;
        };
        readonly SavedRulesInput: {
            /** @description A strategy of `/v1/my/strategies` */
            readonly saved: number;
            /** @description Default: the newest */
            readonly version?: number | null;
        };
        /** @description The saved strategy and its version; absent if the rules were in the request */
        readonly SavedStrategyReference: {
            readonly id: number;
            readonly version: number;
            readonly name: string;
        };
        readonly ScreenCondition: {
            readonly field: components["schemas"]["ScreenerField"];
            /** @enum {string} */
            readonly op: "gt" | "gte" | "lt" | "lte" | "between" | "is_true" | "is_false";
            /** @description Default: the field's own period. Refused for a field without a period */
            readonly period?: number;
            readonly value?: number;
            readonly value2?: number;
        };
        readonly ScreenConditionInput: {
            readonly field: components["schemas"]["ScreenerField"];
            /** @enum {string} */
            readonly op: "gt" | "gte" | "lt" | "lte" | "between" | "is_true" | "is_false";
            /** @description Default: the field's own period. Refused for a field without a period */
            readonly period?: number | null;
            readonly value?: number | null;
            readonly value2?: number | null;
        };
        readonly ScreenHistory: {
            /** @description How many passed at each of the last 60 sessions, oldest first */
            readonly sessions: readonly {
                /** Format: date */
                readonly date: string;
                readonly passing: number;
            }[];
            readonly entered: readonly {
                readonly symbol: string;
                readonly conditions: readonly number[];
            }[] | null;
            readonly left: readonly {
                readonly symbol: string;
                readonly conditions: readonly number[];
            }[] | null;
            /** @description The change of the close over the `bars` after a session, of instruments that passed and of all that could pass, each rounded to 0.01%. One that stops trading counts with its last close; sessions that are too young are left out */
            readonly followed: {
                /** Format: date */
                readonly since: string;
                readonly bars: number;
                readonly passed: {
                    /** @description Pairs of an instrument and a session that are followed */
                    readonly count: number;
                    readonly median_pct: number | null;
                    /** @description The share of them that rose, in percent */
                    readonly rose_pct: number | null;
                };
                readonly all: {
                    /** @description Pairs of an instrument and a session that are followed */
                    readonly count: number;
                    readonly median_pct: number | null;
                    /** @description The share of them that rose, in percent */
                    readonly rose_pct: number | null;
                };
            };
            /** @description At the session of the screen, of those that pass and of all that could pass */
            readonly medians: {
                readonly passing: {
                    readonly change_pct: number | null;
                    readonly dollar_volume: number | null;
                    readonly columns: {
                        readonly [key: string]: number | null;
                    };
                };
                readonly all: {
                    readonly change_pct: number | null;
                    readonly dollar_volume: number | null;
                    readonly columns: {
                        readonly [key: string]: number | null;
                    };
                };
            };
        };
        /** @description Adds `history`: how many passed at the last sessions, who entered and left and why, and what followed. The call waits for a job */
        readonly ScreenHistoryRequest: {
            /**
             * @description The calendar years over which is told what followed
             * @default 10
             */
            readonly years?: number | null;
        };
        /** @description Sorts by the rounded figure, then by symbol, with undefined figures last. Its period does not affect which symbols are eligible. Default: `dollar_volume`, `desc` */
        readonly ScreenSort: {
            readonly field?: components["schemas"]["ScreenerField"];
            /** @description Default: the field's own period. Refused for a field without a period */
            readonly period?: number;
            /** @description Instead of `field`: a value in the language of rules */
            readonly by?: string;
            /**
             * @default desc
             * @enum {string}
             */
            readonly order?: "asc" | "desc";
        };
        /** @description Sorts by the rounded figure, then by symbol, with undefined figures last. Its period does not affect which symbols are eligible. Default: `dollar_volume`, `desc` */
        readonly ScreenSortInput: {
            readonly field?: components["schemas"]["ScreenerField"] | null;
            /** @description Default: the field's own period. Refused for a field without a period */
            readonly period?: number | null;
            /** @description Instead of `field`: a value in the language of rules */
            readonly by?: string | null;
            /**
             * @default desc
             * @enum {string|null}
             */
            readonly order?: "asc" | "desc" | null;
        };
        readonly ScreenUniverse: {
            /**
             * @description Applies its own conditions and sort; `conditions`, `where`, and `sort` are ignored
             * @enum {string}
             */
            readonly preset?: "trend_breakout" | "pullback_entry" | "volume_surge" | "low_vol_trend";
            /**
             * @description All conditions must hold. Figures are rounded to six decimals before they are compared
             * @default []
             */
            readonly conditions?: readonly components["schemas"]["ScreenCondition"][];
            /** @description Instead of `conditions`: a rule that must hold at the last bar of the instrument's whole history. The call waits for a job if the rule looks back further than 259 bars, uses exponential averages of more than 252, compares instruments, or names another one. Instruments are compared with those that have a bar at the session */
            readonly where?: string;
            readonly sort?: components["schemas"]["ScreenSort"];
            /** @description Default: stock and etf. An asset type that no instrument has is refused */
            readonly asset_type?: string | readonly string[];
            /** @description Instead of `asset_type`: these instruments only, which rules then compare with each other */
            readonly symbols?: readonly string[];
            /** @default 100 */
            readonly limit?: number;
        };
        readonly ScreenUniverseInput: {
            /**
             * @description Applies its own conditions and sort; `conditions`, `where`, and `sort` are ignored
             * @enum {string|null}
             */
            readonly preset?: "trend_breakout" | "pullback_entry" | "volume_surge" | "low_vol_trend" | null;
            /**
             * @description All conditions must hold. Figures are rounded to six decimals before they are compared
             * @default []
             */
            readonly conditions?: readonly components["schemas"]["ScreenConditionInput"][] | null;
            /** @description Instead of `conditions`: a rule that must hold at the last bar of the instrument's whole history. The call waits for a job if the rule looks back further than 259 bars, uses exponential averages of more than 252, compares instruments, or names another one. Instruments are compared with those that have a bar at the session */
            readonly where?: string | null;
            readonly sort?: components["schemas"]["ScreenSortInput"] | null;
            /** @description Default: stock and etf. An asset type that no instrument has is refused */
            readonly asset_type?: string | readonly string[] | null;
            /** @description Instead of `asset_type`: these instruments only, which rules then compare with each other */
            readonly symbols?: readonly string[] | null;
            /** @default 100 */
            readonly limit?: number | null;
        };
        /** @enum {string} */
        readonly ScreenerField: "close" | "change_pct" | "gap_pct" | "volume" | "dollar_volume" | "volume_ratio" | "sma" | "ema" | "price_vs_sma_pct" | "sma_slope_pct" | "above_sma" | "roc_pct" | "rsi" | "atr_pct" | "volatility_pct" | "near_high_pct" | "new_high" | "new_low" | "pullback_from_high_pct" | "range_position_pct" | "days_since_high";
        readonly ScreenerJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["ScreenerResult"] | null;
        };
        readonly ScreenerPresets: {
            readonly presets: readonly {
                readonly code: string;
                readonly name: string;
                readonly description: string;
                readonly conditions: readonly {
                    readonly field: string;
                    readonly op: string;
                    readonly period?: number;
                    readonly value?: number;
                    readonly value2?: number;
                }[];
                /** @description The same conditions in the language of rules; null: it cannot say them */
                readonly where: string | null;
                readonly sort: {
                    readonly field: string;
                    readonly period?: number;
                    /** @enum {string} */
                    readonly order: "asc" | "desc";
                };
            }[];
            readonly fields: readonly {
                readonly field: string;
                /** @enum {string} */
                readonly kind: "number" | "boolean";
                readonly period: {
                    readonly min: number;
                    readonly max: number;
                    readonly default: number;
                } | null;
                readonly unit: string;
                readonly label: string;
                readonly description: string;
            }[];
            readonly operators: readonly {
                readonly op: string;
                readonly label: string;
                readonly arity: number;
            }[];
            readonly limits: {
                readonly conditions: number;
                readonly symbols: number;
                readonly columns: number;
                readonly limit: {
                    readonly min: number;
                    readonly max: number;
                    readonly default: number;
                };
                readonly offset: number;
                readonly closes: number;
                readonly years: {
                    readonly min: number;
                    readonly max: number;
                    readonly default: number;
                };
            };
        };
        readonly ScreenerResult: {
            /** @description Symbols of the asset types, or of `symbols`, with a recent bar */
            readonly scanned: number;
            /** @description Scanned symbols with enough history for the longest look-back of the conditions */
            readonly eligible: number;
            /** @description Symbols that match */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly asset_types: readonly string[];
            /** @description Only with `symbols`: those without a recent bar */
            readonly not_scanned?: readonly string[];
            /** @description The number of symbols left after each condition, in the order of the request */
            readonly funnel: readonly {
                readonly condition: {
                    readonly field: string;
                    readonly op: string;
                    readonly period?: number;
                    readonly value?: number;
                    readonly value2?: number;
                } | {
                    readonly where: string;
                };
                /** @description The condition in the language of rules; null: it cannot say it */
                readonly rule: string | null;
                /** @description What it compares, in the language of rules, without constants */
                readonly values: readonly string[];
                readonly remaining: number;
            }[];
            /** @description Compared with the previous session; null if it has no loaded bars */
            readonly changes: {
                /** @description Symbols that match now and did not match at the previous session, sorted; of all pages */
                readonly entered: readonly string[];
                /** @description Symbols that matched at the previous session and do not match now, sorted */
                readonly left: readonly string[];
            } | null;
            readonly venue_scope: {
                readonly mixed: boolean;
                readonly consolidated_only: boolean;
                readonly notes: readonly components["schemas"]["BacktestNote"][];
            };
            /** @description Only if it is asked for, and no rule compares instruments */
            readonly history?: components["schemas"]["ScreenHistory"];
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            readonly elapsed_ms: number;
            /** @description Only with `as_of_load` */
            readonly load?: {
                readonly data_version: string;
                /** @description Iceberg table → the snapshot that was read */
                readonly snapshots: {
                    readonly [key: string]: number;
                };
            };
            readonly data_freshness: {
                readonly distribution_mode: string;
                /** Format: date */
                readonly as_of: string;
                /** Format: date-time */
                readonly snapshot_exported_at: string;
                readonly delayed: boolean;
            };
            readonly items: readonly {
                readonly symbol: string;
                /** @description The symbol of today. Only with `as_of` or `as_of_load`, where `symbol` is that of the day */
                readonly current_symbol?: string;
                readonly name: string;
                readonly asset_type: string;
                readonly primary_venue: string;
                /** Format: date */
                readonly as_of: string;
                readonly close: number;
                readonly change_pct: number | null;
                readonly volume: number;
                readonly dollar_volume: number;
                /** @description Each requested figure, by `field` or `field:period` */
                readonly values: {
                    readonly [key: string]: number | boolean | null;
                };
                /** @description The figures of `columns`, and of conditions with `condition_columns`, rounded to 6 decimals; null if undefined */
                readonly columns?: {
                    readonly [key: string]: number | null;
                };
                /** @description The newest closes, oldest first */
                readonly closes?: readonly number[];
                /** @description With `history`: its sessions in a row at which it passed, the newest included */
                readonly days_in?: number;
            }[];
        };
        readonly SealJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["ForwardRecordDetail"] | null;
        };
        readonly SealRunRequest: {
            readonly run: {
                /** @enum {string} */
                readonly kind: "backtest" | "portfolio";
                readonly id: number;
            } | {
                readonly forward: number;
            } | {
                /** @description A strategy of `/v1/my/strategies` */
                readonly strategy: number;
                readonly symbols: readonly string[];
                /** @description The strategy's parameters, as its `params_schema` describes them */
                readonly params?: {
                    readonly [key: string]: unknown;
                } | null;
            };
            /** @description Default: that of the run */
            readonly name?: string | null;
        };
        readonly SearchSelection: {
            /** @description Distinct combinations that the account has computed for this instrument and strategy with the same adjustment and execution, these included; for a guest, those of this call */
            readonly trials: number;
            /** @description Largest Sharpe ratio to expect of them without skill, in deviations */
            readonly emax: number;
            /** @description Years that the best must last to be above so many tries */
            readonly min_backtest_years: number | null;
            /** @description The same of all that the account has computed within 365 days, beyond the market; null for a guest */
            readonly account?: {
                readonly runs: number;
                readonly emax: number;
                readonly hurdle: number | null;
                readonly dsr: number | null;
            } | null;
            /** @description Sharpe ratio per bar that luck alone gives the best */
            readonly hurdle: number | null;
            /** @description Deflated Sharpe ratio: the probability that the true ratio is above it */
            readonly dsr: number | null;
            /** @description The same of what the best earned beyond the market */
            readonly skill?: {
                readonly hurdle: number | null;
                readonly dsr: number | null;
            };
        };
        /** @description Of the best combination over the whole range, and of the choice among all of them */
        readonly SearchStatistics: {
            /** @description Probability that the true Sharpe ratio is above 0, as every run has it in a rising market */
            readonly psr: number | null;
            /** @description Bars that the Sharpe ratio must last to be above 0 with 95% confidence */
            readonly min_track_record_bars: number | null;
            /** @description 5th and 95th percentile of the annualized Sharpe ratio over 1,000 stationary bootstrap resamples */
            readonly sharpe_interval: readonly [
                number,
                number
            ] | null;
            /** @description 5th and 95th percentile of the annualized return in percent, over the same resamples */
            readonly annualized_interval: readonly [
                number,
                number
            ] | null;
            /** @description Mean block length of the resamples in bars */
            readonly block_length: number | null;
            /** @description Seed of the draws: the first 8 bytes of `spec_sha256` */
            readonly seed: string;
            /** @description Returns, one for each bar of the range */
            readonly returns: number;
            /** @description Earned beyond the market that was held; null below 60 bars */
            readonly skill?: components["schemas"]["Skill"] | null;
            /** @description Combinations that `pbo` and `spa` compare, 500 at most */
            readonly columns: number;
            /** @description Probability of backtest overfitting: the share of 12,870 splits of the time in which the best of one half was not above the middle in the other half. Null for fewer than 10 combinations or 320 bars */
            readonly pbo: number | null;
            /** @description Logits of the relative rank out of the sample, in 20 equal bins */
            readonly pbo_distribution: {
                readonly from: number;
                readonly to: number;
                readonly counts: readonly number[];
                /** @description Of the Sharpe ratio out of the sample on that in it */
                readonly slope: number | null;
            } | null;
            /** @description Test of superior predictive ability against the market that was held: p-values of "no combination is better" */
            readonly spa: {
                readonly lower: number;
                readonly consistent: number;
                readonly upper: number;
                readonly statistic: number;
                readonly block_length: number;
            } | null;
            /** @description Combinations that beat the market that was held with 95% confidence for all of them together (Romano and Wolf), the first 50 */
            readonly step_m: {
                readonly count: number;
                readonly superior: readonly {
                    readonly [key: string]: number | string | boolean;
                }[];
            } | null;
            /** @description Combinatorial purged cross-validation: the best combination of the other folds is taken in each pair of test folds, and the tests are joined to paths. Null for a short range */
            readonly cpcv: {
                readonly folds: number;
                readonly test_folds: number;
                /** @description Bars of the longest trade, as far as a fold allows */
                readonly purge: number;
                readonly embargo: number;
                /** @description Annualized, one for each path */
                readonly sharpes: readonly number[];
                readonly share_below_0: number;
            } | null;
            /** @description The p-value of the best for as many tests as there are combinations, and the annualized Sharpe ratio that it leaves (Harvey and Liu). Null unless the ratio is above 0 */
            readonly haircut: {
                readonly tests: number;
                readonly p: number;
                readonly bonferroni: {
                    readonly p: number;
                    readonly sharpe: number;
                };
                readonly holm: {
                    readonly p: number;
                    readonly sharpe: number;
                };
                readonly bhy: {
                    readonly p: number;
                    readonly sharpe: number;
                };
            } | null;
            /** @description The meaning of the figures, in the language of the answer */
            readonly sentences: readonly string[];
        };
        /** @description Bars as traded, by symbol of today */
        readonly Session: {
            /** Format: date */
            readonly date: string;
            /** @enum {string} */
            readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
            /** @description The venue basis in the negotiated language */
            readonly venue_mode_label: string;
            readonly timeliness: components["schemas"]["Timeliness"];
            readonly count: number;
            readonly bars: readonly {
                /** @description Of the day */
                readonly symbol: string;
                readonly current_symbol: string;
                /** @description In the currency of the instrument */
                readonly open: number;
                /** @description In the currency of the instrument */
                readonly high: number;
                /** @description In the currency of the instrument */
                readonly low: number;
                /** @description In the currency of the instrument */
                readonly close: number;
                /** @description Shares */
                readonly volume: number;
            }[];
        };
        readonly SessionImpactList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Impact"][];
            readonly loads: readonly components["schemas"]["LoadImpact"][];
        };
        readonly SessionStepRun: {
            /** @enum {string} */
            readonly step: "load_primary_session" | "load_consolidated" | "load_single_venue" | "check" | "snapshot" | "lake" | "signals" | "webhooks" | "impact";
            readonly sessions: number;
            readonly rows: number | null;
            /** @description As long as the last ones took */
            readonly seconds: number | null;
            /** @description To a vendor */
            readonly requests: number | null;
            readonly cost_usd: number | null;
            /** @description Kept runs that have read these sessions */
            readonly kept_runs: number;
            /** @description False: there is nothing to do */
            readonly due: boolean;
            /** @description Steps that follow by themselves */
            readonly followers: readonly ("load_primary_session" | "load_consolidated" | "load_single_venue" | "check" | "snapshot" | "lake" | "signals" | "webhooks" | "impact")[];
            readonly problem: string | null;
            readonly sync_job_id: number | null;
            /** @description Null, as `sync_job_id`: nothing was queued */
            readonly job_id: string | null;
        };
        readonly SessionSteps: {
            /** Format: date */
            readonly date: string;
            readonly steps: readonly {
                /** @enum {string} */
                readonly step: "load_primary_session" | "load_consolidated" | "load_single_venue" | "check" | "snapshot" | "lake" | "signals" | "webhooks" | "impact";
                /** @enum {string} */
                readonly state: "done" | "running" | "waiting" | "held" | "failed" | "with_later" | "idle" | "missing" | "unpublished";
                readonly started_at: string | null;
                readonly ended_at: string | null;
                /** @description Bars; watches, deliveries, or runs that were hit */
                readonly rows: number | null;
                /** @description Why it is not done */
                readonly reason: string | null;
                /** Format: date-time */
                readonly due_at: string;
                readonly late: boolean;
                readonly queue: ("backtest" | "portfolio" | "optimize" | "verify" | "look_ahead" | "tear_sheet" | "screen" | "sql" | "factor_values" | "claims" | "outcomes" | "judge" | "seal" | "column" | "sweep.chunk" | "sweep.assemble" | "verify.sample" | "mail.login_code" | "export" | "export.account" | "export.expire" | "snapshot.build" | "signals.evaluate" | "signals.mail" | "webhooks.deliver" | "lake.write" | "claims.newest" | "forward.append" | "impact" | "impact.mail" | "compare" | "storage.sweep" | "storage.remove" | "backup.write" | "backup.drill" | "sync.symbols" | "sync.adjustments" | "sync.daily_bars") | null;
                readonly job_id: string | null;
            }[];
        };
        readonly SessionStepsList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["SessionSteps"][];
        };
        readonly ShareBacktestData: {
            readonly slug: string | null;
            readonly shared: boolean;
            /** @description The page of the run; null where it is not shared */
            readonly url: string | null;
            /** @description The run as JSON */
            readonly api_url: string | null;
        };
        readonly ShareBacktestRequest: {
            /** @default true */
            readonly shared?: boolean | null;
        };
        readonly ShareForwardRecordRequest: {
            /** @default true */
            readonly shared?: boolean | null;
        };
        readonly ShareOutcomesRequest: {
            /** @default true */
            readonly shared?: boolean | null;
        };
        readonly ShareOwnStrategyRequest: {
            /** @default true */
            readonly shared?: boolean | null;
        };
        readonly SharePortfolioRequest: {
            /** @default true */
            readonly shared?: boolean | null;
        };
        readonly ShareWebBacktestRequest: {
            /** @default true */
            readonly shared?: boolean | null;
        };
        readonly ShareWebOutcomesRequest: {
            /** @default true */
            readonly shared?: boolean | null;
        };
        readonly ShareWebPortfolioRequest: {
            /** @default true */
            readonly shared?: boolean | null;
        };
        readonly SharedForwardRecord: {
            readonly name: string;
            /** @enum {string} */
            readonly kind: "backtest" | "portfolio";
            /**
             * @description `beyond`: it has gone on for longer than was predicted. Ended records stay listed
             * @enum {string}
             */
            readonly status: "live" | "beyond" | "stopped" | "abandoned";
            /** Format: date-time */
            readonly sealed_at: string;
            readonly ended_at: string | null;
            readonly sessions: number;
            readonly last_session: string | null;
            readonly seal_sha256: string;
            /** @description The newest digest of the chain */
            readonly head: string;
            readonly sealed: {
                /** Format: date */
                readonly start_date: string;
                /** Format: date */
                readonly end_date: string;
                readonly total_pnl_pct: number | null;
                readonly sharpe: number | null;
                readonly max_drawdown_pct: number | null;
                readonly appraisal: number | null;
                readonly skill_shown: boolean | null;
            };
            readonly live: components["schemas"]["ForwardLive"] | null;
            readonly slug: string | null;
            readonly sentences: readonly string[];
            /** @description Records of its account, this one included */
            readonly of_account: {
                readonly records: number;
                readonly ended: number;
            };
            /** @description `seal_sha256` is of its RFC 8785 form */
            readonly seal: {
                readonly [key: string]: unknown;
            };
            readonly bands: components["schemas"]["ForwardBands"] | null;
            readonly lowered_bands: components["schemas"]["ForwardBands"] | null;
            /** @description The last 250 sessions of the sealed run, 1 at its end */
            readonly before: readonly {
                /** Format: date */
                readonly ts: string;
                readonly growth: number;
                readonly market: number;
            }[];
            /** @description Growth since the seal as it was told; `revised`: by what is known now, where that differs */
            readonly after: readonly {
                /** Format: date */
                readonly ts: string;
                readonly growth: number;
                readonly market: number;
                readonly revised: number | null;
            }[];
        };
        readonly SharedStrategy: {
            readonly name: string;
            readonly description: string;
            readonly rules: components["schemas"]["Rules"];
            readonly parameters: {
                readonly [key: string]: components["schemas"]["SavedParameter"];
            };
            readonly version: number;
            readonly slug: string | null;
            /** Format: date-time */
            readonly updated_at: string;
        };
        readonly Signal: {
            readonly watch: {
                readonly id: number;
                readonly name: string;
            };
            readonly symbol: string;
            /** Format: date */
            readonly date: string;
            /** @enum {string} */
            readonly kind: "entry" | "exit";
            /**
             * @description Of an exit; `signal` for an entry
             * @enum {string}
             */
            readonly reason: "trailing_stop" | "signal" | "stop_loss" | "take_profit" | "time_stop" | "end_of_data" | "delisted";
            readonly close: number;
            /** @description The values that the rule compares, by their text; null if undefined */
            readonly values: {
                readonly [key: string]: number | null;
            };
            /** @description The session was evaluated before, over other data, with other signals */
            readonly corrected: boolean;
        };
        readonly SignalList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Signal"][];
        };
        readonly Skill: {
            /** @description What was held: `buy_hold`, `equal_weight_daily` (every member with a bar, each session anew), or a symbol */
            readonly benchmark: string;
            readonly beta: number | null;
            /** @description Earned a year beyond β × the market */
            readonly alpha_pct: number | null;
            /** @description Of the constant, with the errors of Newey and West */
            readonly alpha_t: number | null;
            /** @description Mean ÷ deviation of what is left beyond the market, annualized */
            readonly appraisal: number | null;
            readonly psr: number | null;
            readonly min_track_record_bars: number | null;
            readonly appraisal_interval: readonly [
                number,
                number
            ] | null;
            readonly alpha_interval_pct: readonly [
                number,
                number
            ] | null;
            /** @description The same with the β known before each bar; null below 120 bars */
            readonly ex_ante: {
                readonly psr: number | null;
                readonly t: number | null;
                readonly bars: number;
            } | null;
            /** @description Whether more than chance was shown beyond the market; null for what a search chose */
            readonly shown: boolean | null;
        };
        /** @description As it was read */
        readonly SourceFile: {
            readonly name: string;
            readonly bytes: number;
            readonly sha256: string;
        };
        /** @description Over the instruments for which the figure is defined; null if there are none */
        readonly Spread: {
            readonly mean: number;
            readonly median: number;
            readonly lower_quartile: number;
            readonly upper_quartile: number;
        } | null;
        readonly StaticInfo: {
            readonly symbol: string;
            /** @description With `as_of`: the symbol of today */
            readonly current_symbol?: string;
            readonly raw_symbol: string;
            /** @enum {string} */
            readonly market: "US" | "HK" | "CN";
            readonly name: string;
            readonly asset_type: string;
            readonly primary_venue: string;
            readonly currency: string;
            readonly listed_on: string | null;
            readonly delisted_on: string | null;
            readonly is_delisted: boolean;
            readonly is_popular: boolean;
            readonly delisting_return_pct?: number;
            readonly lot_size: number;
            /** @enum {string} */
            readonly status: "active" | "delisted";
            readonly history_start: string | null;
            readonly history_end: string | null;
            /** @enum {string} */
            readonly venue_mode: "consolidated" | "single_venue" | "primary_session";
            /** @description The venue basis in the negotiated language */
            readonly venue_mode_label: string;
            readonly timeliness: components["schemas"]["Timeliness"];
            readonly previous_symbols: readonly {
                readonly symbol: string;
                /** Format: date */
                readonly last_day: string;
            }[];
            readonly note: string | null;
        };
        readonly Stats: {
            readonly symbols: number;
            readonly delisted_symbols: number;
            readonly daily_bars: number;
            readonly users: number;
            readonly backtests: number;
            readonly articles: number;
            readonly first_date: string | null;
            readonly last_date: string | null;
            /** Format: date-time */
            readonly generated_at: string;
            readonly cached: boolean;
        };
        readonly StatsOverview: {
            readonly days: number;
            readonly users: {
                readonly total: number;
                /** @description Registered in the window */
                readonly new: number;
                /** @description Accounts that made a request in the window */
                readonly active: number;
                /** @description One entry per day, oldest first, including days with 0 */
                readonly trend: readonly {
                    /** Format: date */
                    readonly date: string;
                    readonly value: number;
                }[];
            };
            readonly visits: {
                /** @description Page views */
                readonly pv: number;
                /** @description Different visitors in the window */
                readonly uv: number;
                /** @description One entry per day, oldest first, including days with 0 */
                readonly trend: readonly {
                    /** Format: date */
                    readonly date: string;
                    readonly value: number;
                }[];
            };
            readonly backtests: {
                /** @description Backtests of the window that were kept */
                readonly total: number;
                /** @description One entry per day, oldest first, including days with 0 */
                readonly trend: readonly {
                    /** Format: date */
                    readonly date: string;
                    readonly value: number;
                }[];
                readonly avg_duration_ms: number | null;
                readonly latency_note: string | null;
            };
            readonly api: {
                /** @description Calls of `/v1` */
                readonly calls: number;
                /** @description Calls of `/v1` with a status of 400 or more */
                readonly errors: number;
                /** @description One entry per day, oldest first, including days with 0 */
                readonly trend: readonly {
                    /** Format: date */
                    readonly date: string;
                    readonly value: number;
                }[];
                readonly top_endpoints: readonly {
                    readonly method: string;
                    readonly endpoint: string;
                    readonly calls: number;
                    readonly errors: number;
                }[];
            };
            readonly clients: readonly components["schemas"]["ClientVisits"][];
            readonly data: {
                readonly symbols: number;
                readonly daily_bars: number;
                readonly first_date: string | null;
                readonly last_date: string | null;
            };
        };
        readonly StatsTimeseries: {
            /** @enum {string} */
            readonly metric: "pv" | "uv" | "users" | "backtests" | "api_calls";
            readonly days: number;
            /** @description The sum of the daily values. For `uv` it is not the number of different visitors */
            readonly total: number;
            /** @description One entry per day, oldest first, including days with 0 */
            readonly items: readonly {
                /** Format: date */
                readonly date: string;
                readonly value: number;
            }[];
        };
        readonly Strategies: {
            readonly strategies: readonly {
                readonly code: string;
                readonly name: string;
                readonly description: string;
                /** @description JSON Schema 2020-12 with `x-labels` */
                readonly params_schema: {
                    readonly [key: string]: unknown;
                };
                /** @description The newest run of it that was found free of look-ahead on every prefix of the history */
                readonly look_ahead_proof: {
                    readonly engine_version: string;
                    readonly symbol: string;
                    readonly prefixes: number;
                    /** Format: date-time */
                    readonly proved_at: string;
                } | null;
                /** @description The same as rules over these parameters, in the default modes */
                readonly rules: components["schemas"]["Rules"] | null;
            }[];
            readonly time_ranges: readonly ("YTD" | "1M" | "3M" | "6M" | "1Y" | "2Y" | "3Y" | "4Y" | "5Y" | "6Y" | "7Y" | "8Y" | "10Y" | "MAX")[];
            readonly execute_on: readonly string[];
            readonly defaults: {
                readonly strategy: string;
                readonly time_range: string;
                readonly execute_on: string;
                readonly adjust: string;
                readonly initial_capital: number;
                readonly cost: {
                    readonly commission_rate: number;
                    readonly min_commission: number;
                    readonly slippage_bps: number;
                };
            };
        };
        /** @enum {string} */
        readonly StrategyCode: "chandelier" | "sma_cross" | "donchian" | "rsi_reversion" | "bollinger_reversion" | "macd" | "roc_momentum" | "buy_hold" | "rules";
        readonly StrategyParams: {
            readonly [key: string]: number | string | boolean;
        };
        readonly Success: {
            /** @constant */
            readonly code: 0;
            /** @constant */
            readonly message: "ok";
        };
        /** @description Bars in doubt: an event that prices contradict, a jump like that of a split without one, or a long hole */
        readonly SuspectNote: {
            /** @constant */
            readonly code: "data_suspect";
            /** @constant */
            readonly level: "warning";
            readonly message: string;
            readonly details: {
                readonly findings: readonly {
                    readonly symbol: string;
                    /** @enum {string} */
                    readonly kind: "contradicted" | "split_suspected" | "hole";
                    /** Format: date */
                    readonly date: string;
                }[];
                readonly count: number;
            };
        };
        readonly Sweep: {
            /** Format: uuid */
            readonly id: string;
            /**
             * @description `queued`: another sweep or study of the account runs. A canceled one no longer exists
             * @enum {string}
             */
            readonly status: "queued" | "running" | "done" | "failed";
            readonly progress_pct: number;
            readonly cells: {
                readonly done: number;
                readonly total: number;
            };
            /** @description Over the last minute; null where no chunk ended in it */
            readonly cells_per_second: number | null;
            /** @description All cells are computed, and the result is put together */
            readonly assembling: boolean;
            /** @description Null while it is assembled */
            readonly seconds_left: number | null;
            readonly chunks: {
                readonly done: number;
                readonly total: number;
                readonly running: number;
            };
            /** @description Worker processes that compute chunks of it now */
            readonly workers: number;
            /** @description On its figures, once it is done */
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            /** Format: date-time */
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
            readonly error: components["schemas"]["RunError"] | null;
            /** @description CPU seconds that its cells have used so far */
            readonly worker_seconds: number;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly strategies: readonly string[];
            /** @description `CUSTOM` when `start` was given */
            readonly time_range: string;
            /** @description Symbols that were not found and skipped because of `skip_unknown`, the first 100 of them; absent if there are none */
            readonly skipped_symbols?: {
                readonly count: number;
                readonly symbols: readonly string[];
            };
            /** @description The session at which a screen chose the universe */
            readonly screened_on: string | null;
        };
        readonly SweepExample: {
            /** @description The body that repeats it */
            readonly request: components["schemas"]["RunSweepRequest"];
            readonly result: components["schemas"]["SweepResult"];
        };
        readonly SweepJob: {
            /** Format: uuid */
            readonly id: string;
            /**
             * Format: uuid
             * @description The same
             */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed";
            readonly location: string;
        };
        readonly SweepList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Sweep"][];
        };
        readonly SweepResult: {
            readonly notes: readonly components["schemas"]["BacktestNote"][];
            /** Format: uuid */
            readonly id: string;
            readonly engine_version: string;
            readonly time_range: string;
            readonly start: string | null;
            readonly end: string | null;
            readonly adjust: string;
            readonly execute_on: string;
            readonly instruments: number;
            readonly cells: number;
            readonly combinations: readonly {
                readonly strategy: string;
                readonly params: components["schemas"]["StrategyParams"];
                /** @description Those with a bar in the range */
                readonly instruments: number;
                readonly metrics: {
                    readonly [key: string]: components["schemas"]["Spread"];
                };
                /** @description Share of the instruments */
                readonly beats_buy_hold_pct: number | null;
                /** @description Share of the instruments */
                readonly positive_sharpe_pct: number | null;
                /** @description The trades of all instruments taken together */
                readonly trades: {
                    readonly count: number;
                    readonly win_rate: number | null;
                    readonly avg_trade_pct: number | null;
                    readonly profit_factor: number | null;
                };
            }[];
            /** @description Of the best cell, with all cells that have a bar as its trials */
            readonly selection: components["schemas"]["SearchSelection"];
            readonly cells_with_bars: number;
            /** @description Of the cells with at least 30 trades, the 50 with the highest Sharpe ratio */
            readonly best: readonly {
                readonly symbol: string;
                readonly strategy: string;
                readonly params: components["schemas"]["StrategyParams"];
                readonly sharpe: number;
                /** @description Absent in results of earlier versions */
                readonly num_trades?: number;
            }[];
            /** @description The same for the cells with fewer trades; absent in results of earlier versions */
            readonly best_few_trades?: readonly {
                readonly symbol: string;
                readonly strategy: string;
                readonly params: components["schemas"]["StrategyParams"];
                readonly sharpe: number;
                /** @description Absent in results of earlier versions */
                readonly num_trades?: number;
            }[];
            /** @description The 50 cells with the lowest */
            readonly worst: readonly {
                readonly symbol: string;
                readonly strategy: string;
                readonly params: components["schemas"]["StrategyParams"];
                readonly sharpe: number;
                /** @description Absent in results of earlier versions */
                readonly num_trades?: number;
            }[];
            readonly sharpe_histogram: {
                readonly from: number;
                readonly to: number;
                /** @description Equal steps; values outside count in the first or the last */
                readonly counts: readonly number[];
            };
            readonly excess_return_histogram: {
                readonly from: number;
                readonly to: number;
                /** @description Equal steps; values outside count in the first or the last */
                readonly counts: readonly number[];
            };
        };
        readonly SymbolChange: {
            /**
             * Format: date
             * @description The first day that it holds
             */
            readonly date: string;
            /** @description Of today */
            readonly symbol: string;
            /** @enum {string} */
            readonly kind: "listed" | "delisted" | "symbol_changed" | "name_changed";
            /** @description The symbol or name before; null for listings and delistings */
            readonly was: string | null;
            readonly became: string | null;
        };
        readonly SymbolChangeList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["SymbolChange"][];
        };
        readonly SymbolItem: {
            readonly symbol: string;
            /** @description With `as_of`: the symbol of today */
            readonly current_symbol?: string;
            readonly raw_symbol: string;
            /** @enum {string} */
            readonly market: "US" | "HK" | "CN";
            /** @enum {string} */
            readonly exchange: "US" | "HK" | "SH" | "SZ";
            readonly currency: string;
            readonly name: string;
            readonly asset_type: string;
            readonly primary_venue: string;
            readonly listed_on: string | null;
            readonly delisted_on: string | null;
            readonly is_delisted: boolean;
            readonly is_popular: boolean;
        };
        readonly SymbolItemList: {
            readonly query: string;
            /** @enum {string} */
            readonly market: "US" | "HK" | "CN";
            /** @description The number of all matches */
            readonly total: number;
            /** @description The number of returned matches */
            readonly count: number;
            readonly items: readonly components["schemas"]["SymbolItem"][];
        };
        readonly SyncJob: {
            readonly id: number;
            /** @enum {string} */
            readonly job_type: "symbols" | "adjustments" | "daily_bars";
            /**
             * @description A load that waits is `running`, with `started_at` null
             * @enum {string}
             */
            readonly status: "running" | "ok" | "failed";
            readonly requested_by: string;
            readonly request: {
                readonly [key: string]: unknown;
            };
            /** @description The share of the load that is done, also of a failed load */
            readonly progress_pct: number;
            /** @description The named instruments, or all that were listed in the range. Null until a worker starts it */
            readonly symbols_total: number | null;
            /** @description Instruments with at least one row that the load has loaded so far. Instruments without a row at the provider are never counted */
            readonly symbols_done: number;
            readonly rows_written: number;
            /** @description Rejected rows, including those of units that were not loaded */
            readonly rows_rejected: number;
            /** @description `rows_rejected` by reason. `unknown_instrument` never fails a load */
            readonly rows_rejected_by_reason: {
                readonly [key: string]: number;
            };
            readonly attempts: number;
            readonly error: string | null;
            /** Format: date-time */
            readonly queued_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
        };
        readonly SyncJobFile: {
            /** @description Within the folder; a member of an archive is `a.zip!b.csv` */
            readonly path: string;
            /** @description Null: the file is not read */
            readonly layout: string | null;
            /** @description header + blank + loaded + repeated + rejected + left_out */
            readonly lines: number;
            readonly header: number;
            readonly blank: number;
            readonly loaded: number;
            /** @description Lines that another line equals, in this file or another one */
            readonly repeated: number;
            readonly rejected: number;
            readonly left_out: number;
            /** @description Why the file is not loaded; null: it is */
            readonly reason: string | null;
            readonly first_line: string | null;
            /** @description Rejected lines and those that were left out */
            readonly by_reason: {
                readonly [key: string]: number;
            };
            /** @description The first hundred, as they stand in the file */
            readonly rejected_lines: readonly {
                readonly line: number;
                readonly text: string;
                readonly reason: string;
            }[];
            /** @description What was assumed or noticed */
            readonly told: readonly string[];
        };
        readonly SyncJobFileList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["SyncJobFile"][];
        };
        readonly SyncJobList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["SyncJob"][];
        };
        readonly Table: {
            readonly name: string;
            /** @description The current snapshot */
            readonly snapshot_id: number;
            /** Format: date-time */
            readonly committed_at: string;
            readonly rows: number;
            readonly bytes: number;
            readonly files: number;
            /** @description How many are kept */
            readonly snapshots: number;
            readonly partitions: readonly string[];
            readonly sort: readonly string[];
            readonly columns: readonly {
                readonly name: string;
                readonly type: string;
                readonly required: boolean;
            }[];
            /** @description Newest first */
            readonly newest_snapshots: readonly {
                readonly snapshot_id: number;
                /** Format: date-time */
                readonly committed_at: string;
                readonly data_version: string;
                /** Format: date */
                readonly newest_session: string;
                readonly rows_added: number;
                readonly rows_removed: number;
                readonly rows: number;
                readonly bytes: number;
                readonly tags: readonly string[];
            }[];
        };
        readonly Tables: {
            /** @description The address of the Iceberg REST catalog */
            readonly catalog: string;
            readonly tables: readonly {
                readonly name: string;
                /** @description The current snapshot */
                readonly snapshot_id: number;
                /** Format: date-time */
                readonly committed_at: string;
                readonly rows: number;
                readonly bytes: number;
                readonly files: number;
                /** @description How many are kept */
                readonly snapshots: number;
            }[];
            readonly views: readonly string[];
        };
        readonly TargetAllocation: {
            /** @description Shares of the whole value to hold, at most 1 in all; the rest is cash. Instead of a strategy */
            readonly targets: readonly {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
                readonly weight: number;
            }[];
            /**
             * @description Brings positions back to their targets on the last session of each period; without `targets` only those that deviate by 5% or more. `year` and `band_pct` (once a weight is more than so many points off) only with `targets`
             * @default none
             */
            readonly rebalance?: ("none" | "week" | "month" | "quarter" | "year") | {
                readonly band_pct: number;
            } | null;
            /** @description With `targets`: money in, shared by the weights, or out, on the first session of each period after the start */
            readonly flows?: readonly {
                /** @description Below 0: taken out */
                readonly amount: number;
                /** @enum {string} */
                readonly every: "month" | "quarter" | "year";
            }[] | null;
        };
        readonly TearSheet: {
            readonly sessions: number;
            /** Format: date */
            readonly start_date: string;
            /** Format: date */
            readonly end_date: string;
            /** @description Simple returns, not rounded; `market`: what skill is told beside, where it is not the benchmark; `risk_free`: what the ratios, alpha, beta, and the regression are above, where the run has a rate */
            readonly series: readonly {
                /** Format: date */
                readonly ts: string;
                readonly run: number;
                readonly benchmark: number;
                readonly market?: number;
                readonly risk_free?: number;
            }[];
            readonly returns: components["schemas"]["TearSheetReturns"];
            readonly benchmark: components["schemas"]["TearSheetBenchmark"];
            /** @description Null: no factors, fewer than 60 sessions, or returns that do not vary */
            readonly regression: components["schemas"]["TearSheetRegression"] | null;
            readonly interest?: components["schemas"]["Interest"];
            readonly time: components["schemas"]["TearSheetTime"];
            readonly trades: components["schemas"]["TearSheetTrades"];
            readonly chance: components["schemas"]["TearSheetChance"];
            readonly verdict: {
                readonly sentences: readonly {
                    /** @description One for each sentence */
                    readonly key: string;
                    readonly text: string;
                    /** @description The figures that made it, by their places in the sheet */
                    readonly figures: {
                        readonly [key: string]: number;
                    };
                }[];
            };
        };
        readonly TearSheetBenchmark: {
            readonly total_pct: number;
            readonly annual_return_pct: number | null;
            readonly beta: number | null;
            /** @description A year */
            readonly alpha_pct: number | null;
            readonly correlation: number | null;
            readonly r2: number | null;
            readonly tracking_error_pct: number | null;
            readonly information_ratio: number | null;
            readonly active_return_pct: number;
            readonly up_capture: number | null;
            readonly down_capture: number | null;
            /** @description Mean return ÷ that of the benchmark over its rising sessions */
            readonly up_capture_mean: number | null;
            readonly down_capture_mean: number | null;
            /** @description Share of the months in which the run returned more */
            readonly batting_average_pct: number;
        };
        readonly TearSheetChance: {
            /** @description Null: fewer than 60 sessions, or returns that are all equal */
            readonly bootstrap: {
                readonly samples: number;
                readonly block_length: number;
                readonly seed: string;
                readonly bands: readonly {
                    /** Format: date */
                    readonly ts: string;
                    readonly p5: number;
                    readonly p25: number;
                    readonly p50: number;
                    readonly p75: number;
                    readonly p95: number;
                }[];
                readonly final_equity: components["schemas"]["TearSheetPercentiles"];
                readonly max_drawdown_pct: components["schemas"]["TearSheetPercentiles"];
                readonly under_water_bars: components["schemas"]["TearSheetPercentiles"];
                readonly p_loss: number;
                readonly p_drawdown_above: {
                    readonly 20: number;
                    readonly 30: number;
                    readonly 50: number;
                };
            } | null;
            /** @description Null: fewer than two trades */
            readonly trade_order: {
                readonly shuffles: number;
                readonly trades: number;
                readonly max_drawdown_pct: components["schemas"]["TearSheetPercentiles"];
                readonly under_water_trades: components["schemas"]["TearSheetPercentiles"];
                readonly run: {
                    readonly max_drawdown_pct: number;
                    readonly under_water_trades: number;
                };
            } | null;
            /** @description Null: no trade, or many instruments */
            readonly random_entries: {
                readonly runs: number;
                /** @description Share of the random runs that ended below this one */
                readonly rank: number;
                readonly total_pct: components["schemas"]["TearSheetPercentiles"];
            } | null;
            /** @description Rotations whose names are drawn at random */
            readonly random_sets: {
                readonly runs: number;
                readonly rank: number;
                readonly total_pct: components["schemas"]["TearSheetPercentiles"];
            } | null;
        };
        readonly TearSheetPercentiles: {
            readonly p5: number;
            readonly p25: number;
            readonly p50: number;
            readonly p75: number;
            readonly p95: number;
        };
        /** @description Least squares with the errors of Newey and West; alpha is per session */
        readonly TearSheetRegression: {
            readonly sessions: number;
            readonly lag: number;
            readonly r2: number;
            readonly terms: readonly {
                /** @description `alpha`, or the symbol of a factor */
                readonly name: string;
                readonly coefficient: number;
                readonly t: number | null;
                readonly p: number | null;
            }[];
        };
        readonly TearSheetReturns: {
            readonly total_pct: number;
            /** @description A year has 252 sessions */
            readonly annual_return_pct: number | null;
            readonly volatility_pct: number | null;
            readonly sharpe: number | null;
            readonly sortino: number | null;
            /** @description `annual_return_pct` ÷ `max_drawdown_pct` */
            readonly calmar: number | null;
            readonly max_drawdown_pct: number;
            readonly omega: number | null;
            readonly skewness: number | null;
            readonly excess_kurtosis: number | null;
            readonly tail_ratio: number | null;
            /** @description R² of the logarithm of the growth against time */
            readonly stability: number | null;
            /** @description The 5th percentile of the returns */
            readonly var_95_pct: number;
            readonly var_99_pct: number;
            /** @description The mean of the lowest 5% of the returns */
            readonly cvar_95_pct: number;
            readonly cvar_99_pct: number;
            readonly best_day: {
                /** Format: date */
                readonly ts: string;
                readonly pct: number;
            };
            readonly worst_day: {
                /** Format: date */
                readonly ts: string;
                readonly pct: number;
            };
            /** @description `ts`: its last session */
            readonly best_week: {
                /** Format: date */
                readonly ts: string;
                readonly pct: number;
            };
            readonly worst_week: {
                /** Format: date */
                readonly ts: string;
                readonly pct: number;
            };
            readonly best_month: {
                readonly month: string;
                readonly pct: number;
            };
            readonly worst_month: {
                readonly month: string;
                readonly pct: number;
            };
            readonly positive_days_pct: number;
            readonly positive_months_pct: number;
            readonly longest_up_days: number;
            readonly longest_down_days: number;
        };
        readonly TearSheetTime: {
            readonly months: readonly {
                readonly month: string;
                readonly run_pct: number;
                readonly benchmark_pct: number;
            }[];
            readonly years: readonly {
                readonly year: number;
                readonly run_pct: number;
                readonly benchmark_pct: number;
            }[];
            readonly rolling: {
                readonly 63: readonly {
                    /** Format: date */
                    readonly ts: string;
                    readonly volatility_pct: number;
                    readonly sharpe: number | null;
                    readonly beta: number | null;
                }[];
                readonly 252: readonly {
                    /** Format: date */
                    readonly ts: string;
                    readonly volatility_pct: number;
                    readonly sharpe: number | null;
                    readonly beta: number | null;
                }[];
            };
            /** @description The ten deepest */
            readonly drawdowns: readonly {
                /** Format: date */
                readonly peak: string;
                /** Format: date */
                readonly valley: string;
                readonly recovery: string | null;
                readonly depth_pct: number;
                readonly bars_down: number;
                readonly bars_up: number | null;
            }[];
            readonly underwater: readonly {
                /** Format: date */
                readonly ts: string;
                readonly drawdown_pct: number;
            }[];
            readonly exposure_pct: number;
            readonly avg_positions: number;
            readonly turnover_pct: number | null;
            readonly costs: {
                readonly commission: number;
                readonly slippage: number;
                readonly commission_pct_per_year: number | null;
                readonly slippage_pct_per_year: number | null;
            };
            readonly concentration: {
                readonly largest_weight_pct: number | null;
                readonly mean_largest_weight_pct: number | null;
                readonly mean_effective_number: number | null;
            };
        };
        /** @description Of portfolios these are figures of positions, not of sales */
        readonly TearSheetTrades: {
            readonly count: number;
            readonly wins: number;
            readonly losses: number;
            readonly win_rate_pct: number | null;
            readonly payoff: number | null;
            readonly profit_factor: number | null;
            readonly expectancy_pct: number | null;
            readonly expectancy: number | null;
            readonly sqn: number | null;
            readonly kelly: number | null;
            readonly holding_bars: {
                readonly mean: number | null;
                readonly median: number | null;
                readonly longest: number | null;
                readonly mean_wins: number | null;
                readonly mean_losses: number | null;
            };
            readonly longest_win_streak: number;
            readonly longest_loss_streak: number;
            readonly distributions: {
                /** @description Null: no trade */
                readonly pnl_pct: {
                    readonly width_pct: number;
                    readonly from_pct: number;
                    readonly counts: readonly number[];
                } | null;
                /** @description Null: no trade */
                readonly mae_pct: {
                    readonly width_pct: number;
                    readonly from_pct: number;
                    readonly counts: readonly number[];
                } | null;
                /** @description Null: no trade */
                readonly mfe_pct: {
                    readonly width_pct: number;
                    readonly from_pct: number;
                    readonly counts: readonly number[];
                } | null;
            };
            /** @description Null: the run has one instrument */
            readonly position_summary: components["schemas"]["PositionSummary"] | null;
            readonly by_exit_reason: readonly {
                readonly exit_reason: string;
                readonly trades: number;
                readonly win_rate_pct: number;
                readonly pnl: number;
                readonly mean_pct: number;
            }[];
            readonly by_symbol: readonly {
                readonly symbol: string;
                readonly trades: number;
                readonly win_rate_pct: number;
                readonly pnl: number;
                readonly mean_pct: number;
            }[];
            readonly by_entry_month: readonly {
                readonly month: string;
                readonly trades: number;
                readonly win_rate_pct: number;
                readonly pnl: number;
                readonly mean_pct: number;
            }[];
        };
        /**
         * @description Counts back from the newest bar that may be distributed or, with an `end`, from the last bar at or before it. Ignored when `start` is given
         * @enum {string}
         */
        readonly TimeRange: "YTD" | "1M" | "3M" | "6M" | "1Y" | "2Y" | "3Y" | "4Y" | "5Y" | "6Y" | "7Y" | "8Y" | "10Y" | "MAX";
        readonly Timeliness: {
            /** @enum {string} */
            readonly mode: "eod_only" | "delayed" | "realtime";
            readonly delayed: boolean;
            readonly delay_minutes: number | null;
            readonly label: string;
            /** @description The newest date that is loaded and may be distributed */
            readonly max_date: string | null;
        };
        readonly TokenPair: {
            readonly access_token: string;
            /** @description Null for the web site, which has it in a cookie */
            readonly refresh_token: string | null;
            /** @constant */
            readonly token_type: "Bearer";
            /** @description Lifetime of the access token, in seconds */
            readonly expires_in: number;
        };
        readonly UpdateApiKeyRequest: {
            readonly name?: string | null;
            readonly enabled?: boolean | null;
            /** @description Reading, runs, changes of what the account keeps. Default: all */
            readonly scopes?: readonly ("read" | "research" | "account")[] | null;
            /** @description When the key ends; null: never */
            readonly expires_at?: string | null;
            /** @description Trials of assistants. Default: 1,000 */
            readonly trial_limit?: number | null;
        };
        readonly UpdateArticleCoverRequest: {
            /**
             * Format: base64
             * @description A PNG or JPEG file in base64; a new PNG is drawn from it
             */
            readonly image: string;
        };
        readonly UpdateArticleRequest: {
            /** @enum {string|null} */
            readonly category?: "strategy" | "backtest" | "data" | "concept" | null;
            readonly cover_url?: string | null;
            readonly tags?: readonly string[] | null;
            /** @description The texts to change. Null clears a field, or the whole text of a language */
            readonly contents?: components["schemas"]["UpdateArticleRequestContents"] | null;
        };
        readonly UpdateArticleRequestContents: {
            readonly en?: {
                readonly title?: string | null;
                readonly summary?: string | null;
                readonly body_md?: string | null;
            } | null;
            readonly "zh-CN"?: {
                readonly title?: string | null;
                readonly summary?: string | null;
                readonly body_md?: string | null;
            } | null;
            readonly "zh-TW"?: {
                readonly title?: string | null;
                readonly summary?: string | null;
                readonly body_md?: string | null;
            } | null;
        };
        readonly UpdateBacktestRequest: {
            /** @description Null removes it */
            readonly name?: string | null;
            /** @description Instead of those it has */
            readonly tags?: readonly string[] | null;
        };
        readonly UpdateDataFindingRequest: {
            /** @enum {string} */
            readonly action: "confirm" | "ignore" | "mend";
            /** @description Of `mend`: the right event; absent: there was none */
            readonly event?: components["schemas"]["UpdateDataFindingRequestEvent"] | null;
        };
        readonly UpdateDataFindingRequestEvent: {
            /** @enum {string} */
            readonly kind: "split" | "reverse_split" | "stock_dividend" | "cash_dividend" | "spin_off";
            /** Format: date */
            readonly ex_date: string;
            readonly factor: number;
        };
        readonly UpdateJobsRequest: {
            /**
             * @description `move_first`, `move_last`: within their queue
             * @enum {string}
             */
            readonly action: "retry" | "cancel" | "move_first" | "move_last";
            /**
             * @description Only jobs of this queue
             * @enum {string|null}
             */
            readonly queue?: "backtest" | "portfolio" | "optimize" | "verify" | "look_ahead" | "tear_sheet" | "screen" | "sql" | "factor_values" | "claims" | "outcomes" | "judge" | "seal" | "column" | "sweep.chunk" | "sweep.assemble" | "verify.sample" | "mail.login_code" | "export" | "export.account" | "export.expire" | "snapshot.build" | "signals.evaluate" | "signals.mail" | "webhooks.deliver" | "lake.write" | "claims.newest" | "forward.append" | "impact" | "impact.mail" | "compare" | "storage.sweep" | "storage.remove" | "backup.write" | "backup.drill" | "sync.symbols" | "sync.adjustments" | "sync.daily_bars" | null;
            /**
             * @description Only jobs in this state
             * @enum {string|null}
             */
            readonly state?: "waiting" | "retry" | "active" | "completed" | "cancelled" | "failed" | null;
            /** @description Only failed jobs with this cause */
            readonly cause?: string | null;
            /** @description Only jobs for the account with this e-mail */
            readonly account?: string | null;
            /** @description Only jobs that this worker runs or ran */
            readonly worker?: string | null;
            /** @description Only jobs with this in their id, input, or error */
            readonly text?: string | null;
            /** @description Only jobs queued from then on */
            readonly from?: string | null;
            /** @description Only jobs queued until then */
            readonly to?: string | null;
            /**
             * Format: uuid
             * @description `next` of the answer before
             */
            readonly after?: string | null;
            /** @default 100 */
            readonly limit?: number | null;
            /**
             * @description Only list the jobs that would be changed
             * @default false
             */
            readonly dry_run?: boolean | null;
        };
        readonly UpdateProfileRequest: {
            readonly nickname?: string | null;
            readonly name?: string | null;
            readonly phone?: string | null;
            /** @enum {string|null} */
            readonly language?: "en" | "zh-CN" | "zh-TW" | null;
            readonly revision_mail?: boolean | null;
        };
        readonly UpdateUserRequest: {
            /** @enum {string|null} */
            readonly plan?: "free" | "pro" | "enterprise" | null;
            /** @enum {string|null} */
            readonly status?: "active" | "banned" | "disabled" | null;
            readonly is_admin?: boolean | null;
            /** @description An ISO time with its offset, or YYYY-MM-DD (00:00 UTC). Null: the plan does not expire */
            readonly plan_expires_at?: string | null;
        };
        readonly UpdateWatchRequest: {
            /** @description Unique in the account */
            readonly name?: string | null;
            /** @description Whether its signals are in the daily mail */
            readonly mail?: boolean | null;
        };
        readonly UpdateWebhookRequest: {
            /** @description `export.done` is for administrators */
            readonly events?: readonly ("backtest.finished" | "portfolio.finished" | "sweep.finished" | "signals.ready" | "forward.sealed" | "forward.appended" | "data.loaded" | "run.revised" | "export.done")[] | null;
            readonly enabled?: boolean | null;
        };
        readonly Usage: {
            readonly days: number;
            readonly total: number;
            readonly by_day: readonly {
                /** Format: date */
                readonly date: string;
                readonly calls: number;
            }[];
            readonly by_endpoint: readonly {
                readonly endpoint: string;
                readonly calls: number;
            }[];
        };
        readonly UsedColumn: {
            readonly name: string;
            /** @enum {string} */
            readonly owner: "account" | "everyone";
            readonly version: number;
            /** @description Of its rows as CSV by instrument, date, and `known_at` */
            readonly sha256: string;
            /** @description Rows that gave a value at a session of the range */
            readonly rows_used: number;
            /** @description Of these, known more than a session after their date */
            readonly known_late: number;
            /** @description Of these, loaded after they were known: `known_at` is what the sender says */
            readonly loaded_late: number;
            readonly last_known: string | null;
        };
        readonly User: {
            readonly id: number;
            readonly email: string;
            readonly nickname: string | null;
            readonly name: string;
            readonly phone: string | null;
            /** @enum {string} */
            readonly language: "en" | "zh-CN" | "zh-TW";
            /** @enum {string} */
            readonly plan: "free" | "pro" | "enterprise";
            /**
             * @description The plan in force: `free` once the plan has expired
             * @enum {string}
             */
            readonly effective_plan: "guest" | "free" | "pro" | "enterprise";
            /** @description Null: the plan does not expire */
            readonly plan_expires_at: string | null;
            /** @enum {string} */
            readonly status: "active" | "banned" | "disabled";
            readonly is_admin: boolean;
            readonly register_country: string | null;
            readonly register_country_name: string | null;
            readonly last_login_country: string | null;
            readonly last_login_country_name: string | null;
            readonly login_count: number;
            /** Format: date-time */
            readonly created_at: string;
            readonly last_login_at: string | null;
            /** @description Whether it gets a mail when a load changes figures of its runs */
            readonly revision_mail: boolean;
        };
        readonly UserCountries: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly {
                readonly country: string;
                readonly country_name: string | null;
                readonly users: number;
            }[];
        };
        readonly Verification: {
            /**
             * @description `both`: data and engine. `spec_changed`: the kept specification differs from that of the receipt. `unexplained`: neither data nor engine explains the difference. `no_receipt`: it was kept before there were receipts
             * @enum {string}
             */
            readonly verdict: "reproduced" | "data_revised" | "engine_changed" | "both" | "spec_changed" | "unexplained" | "no_receipt";
            /** @description Everything that has changed */
            readonly reasons: readonly string[];
            /** Format: date-time */
            readonly verified_at: string;
            readonly engine: {
                readonly was: string | null;
                readonly is: string;
            };
            readonly receipt: {
                readonly was: components["schemas"]["Receipt"] | null;
                readonly is: components["schemas"]["Receipt"] | null;
            };
            /** @description Snapshot of the Iceberg table with the bars of the receipt; null: none is kept */
            readonly snapshot?: {
                readonly table: string;
                readonly snapshot_id: number;
                /** Format: date-time */
                readonly committed_at: string;
                /** @description Whether that load has the data of the receipt */
                readonly same_data: boolean | null;
                /** @description Whether this engine computes the result of the receipt from them. Null: not computed */
                readonly same_result: boolean | null;
            } | null;
            readonly bars: {
                readonly total: number;
                /** @description The first 200 */
                readonly items: readonly {
                    readonly symbol?: string;
                    /** Format: date */
                    readonly date: string;
                    /** @description Null: there was none. `unknown`: revisions do not reach back to the run */
                    readonly was: components["schemas"]["RevisedBar"] | "unknown" | null;
                    readonly is: components["schemas"]["RevisedBar"] | null;
                }[];
            };
            readonly events: {
                readonly total: number;
                /** @description The first 200 */
                readonly items: readonly {
                    readonly symbol?: string;
                    readonly ex_date: string;
                    /** @description Null: there was none. `unknown`: revisions do not reach back to the run */
                    readonly was: components["schemas"]["RevisedEvent"] | "unknown" | null;
                    readonly is: components["schemas"]["RevisedEvent"] | null;
                }[];
            };
            readonly metrics: readonly {
                readonly name: string;
                readonly was: number | null;
                readonly is: number | null;
            }[];
        };
        readonly VerificationJob: {
            /** Format: uuid */
            readonly job_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "done" | "failed" | "cancelled";
            readonly error: components["schemas"]["RunError"] | null;
            /** @description What the run has used: CPU seconds of a worker, or seconds of a query. Null before its end */
            readonly worker_seconds: number | null;
            /** @description Why the job does not start, such as that its queue is paused; null if nothing prevents it */
            readonly notice: string | null;
            readonly result: components["schemas"]["Verification"] | null;
        };
        readonly VerifyLoginCodeData: {
            readonly access_token: string;
            /** @description Null for the web site, which has it in a cookie */
            readonly refresh_token: string | null;
            /** @constant */
            readonly token_type: "Bearer";
            /** @description Lifetime of the access token, in seconds */
            readonly expires_in: number;
            readonly is_new: boolean;
            /** @description For a new account only, and shown only once */
            readonly api_key: string | null;
            readonly user: components["schemas"]["User"];
        };
        readonly VerifyLoginCodeRequest: {
            /** Format: email */
            readonly email: string;
            readonly code: string;
            /** @description Of the request for this code */
            readonly challenge?: string | null;
            readonly name?: string | null;
            readonly phone?: string | null;
            readonly nickname?: string | null;
            /** @enum {string|null} */
            readonly language?: "en" | "zh-CN" | "zh-TW" | null;
        };
        readonly VerifyRuleRequest: {
            readonly text: string;
            /**
             * @default entry
             * @enum {string|null}
             */
            readonly part?: "entry" | "exit" | "stop" | "trail" | "where" | "value" | "score" | "market_filter" | null;
            /**
             * @description Whether it is of a portfolio, so that it may compare instruments. Screens and scores always may
             * @default false
             */
            readonly peers?: boolean | null;
            /** @description Default: the end of the text */
            readonly cursor?: number | null;
        };
        readonly Watch: {
            readonly id: number;
            readonly name: string;
            readonly strategy: string;
            readonly rules?: {
                readonly saved: number;
                readonly version?: number;
            };
            readonly params: {
                readonly [key: string]: number | string | boolean;
            };
            readonly symbols?: readonly string[];
            readonly screen?: {
                readonly where: string;
                readonly asset_type: readonly string[];
                readonly symbols?: readonly string[];
            };
            readonly rotation?: {
                readonly score: string;
                /** @description `sessions` for every so many sessions */
                readonly every: string;
                /** @enum {string} */
                readonly order: "asc" | "desc";
                readonly hold: {
                    readonly top: number | string;
                } | {
                    readonly top_pct: number;
                };
                readonly universe: components["schemas"]["RotationUniverseResult"];
            };
            readonly mail: boolean;
            /** @description Columns that its rules name and that were deleted: without them it gives no signals */
            readonly missing_columns?: readonly string[];
            /** @description The newest evaluated session; null: not yet, but soon */
            readonly evaluated: string | null;
            /** Format: date-time */
            readonly created_at: string;
        };
        readonly WatchList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Watch"][];
        };
        readonly Webhook: {
            readonly id: number;
            readonly url: string;
            readonly events: readonly string[];
            /** @description Set to false also by the answer 410 */
            readonly enabled: boolean;
            /** Format: date-time */
            readonly created_at: string;
        };
        readonly WebhookDelivery: {
            /**
             * Format: uuid
             * @description The `webhook-id` of all attempts
             */
            readonly id: string;
            /** @enum {string} */
            readonly event: "backtest.finished" | "portfolio.finished" | "sweep.finished" | "signals.ready" | "forward.sealed" | "forward.appended" | "data.loaded" | "run.revised" | "export.done" | "webhook.test";
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @enum {string} */
            readonly status: "pending" | "delivered" | "failed";
            readonly attempts: number;
            readonly next_attempt_at: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** @description The answers to the attempts, newest last */
            readonly answers: readonly {
                /** Format: date-time */
                readonly at: string;
                readonly ms: number;
                /** @description Null: there was no answer */
                readonly status: number | null;
                readonly error: string | null;
                readonly body: string;
            }[];
            /** @description Of the newest attempt, as they were sent */
            readonly request_headers: {
                readonly [key: string]: string;
            } | null;
            /** @description Byte by byte */
            readonly request_body: string | null;
        };
        readonly WebhookDeliveryList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["WebhookDelivery"][];
        };
        readonly WebhookList: {
            readonly total: number;
            readonly page: number;
            readonly size: number;
            readonly items: readonly components["schemas"]["Webhook"][];
        };
        readonly WrittenColumn: {
            readonly column: components["schemas"]["OwnColumn"];
            /** @description lines = header + blank + loaded + repeated + rejected + left_out */
            readonly account: {
                readonly layout: string;
                readonly lines: number;
                readonly header: number;
                readonly blank: number;
                readonly loaded: number;
                readonly repeated: number;
                readonly rejected: number;
                readonly left_out: number;
                readonly by_reason: {
                    readonly [key: string]: number;
                };
                readonly rejected_lines: readonly {
                    readonly line: number;
                    readonly text: string;
                    readonly reason: string;
                }[];
                readonly told: readonly string[];
            };
            /** @description Rows known more than a week before they were sent */
            readonly backfilled: number;
            readonly ambiguous_symbols: {
                /** @description Different tickers, 100,000 at most */
                readonly count: number;
                readonly symbols: readonly string[];
            };
            readonly unknown_symbols: {
                /** @description Different tickers, 100,000 at most */
                readonly count: number;
                readonly symbols: readonly string[];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    readonly getQuote: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Quote"];
                    };
                };
            };
        };
    };
    readonly getKline: {
        readonly parameters: {
            readonly query?: {
                /** @description The period of a bar */
                readonly period?: "day" | "week" | "month";
                /** @description The first day. Overrides `days` */
                readonly start?: string;
                /** @description The last day. Later days are clamped to the newest distributable day */
                readonly end?: string;
                /** @description How many of the newest bars to return, in units of the period. `start` overrides it */
                readonly days?: number;
                /** @description `qfq`, or `split`, adjusts bars before a split, reverse split, or stock dividend to the share count of the newest bar; `total` reinvests cash dividends and spin-offs at their ex-date too */
                readonly adjust?: "none" | "qfq" | "total" | "split";
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Candles"];
                    };
                };
            };
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Events"];
                    };
                };
            };
        };
    };
    readonly getStaticInfo: {
        readonly parameters: {
            readonly query?: {
                /** @description The facts of that day, by the symbol of that day; `current_symbol` is the symbol of today */
                readonly as_of?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["StaticInfo"];
                    };
                };
            };
        };
    };
    readonly getIntraday: {
        readonly parameters: {
            readonly query?: {
                /** @description Default: the latest session whose minutes may be served */
                readonly date?: string;
                /** @description The period of a bar */
                readonly interval?: "1m" | "5m" | "15m" | "30m" | "60m";
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Intraday"];
                    };
                };
            };
        };
    };
    readonly getBatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 235 KiB, and 10100 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["GetBatchRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Batch"];
                    };
                };
            };
        };
    };
    readonly searchSymbols: {
        readonly parameters: {
            readonly query?: {
                /** @description The start of a ticker, or a part of a name */
                readonly q?: string;
                /** @description The market to search. Only US is open */
                readonly market?: "US" | "HK" | "CN";
                /** @description How many matches to return */
                readonly limit?: number;
                /** @description Only instruments that were listed on that day, by their symbols of that day */
                readonly as_of?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SymbolItemList"];
                    };
                };
            };
        };
    };
    readonly getMarketOverview: {
        readonly parameters: {
            readonly query?: {
                /** @description One of the 60 newest sessions, with the symbols of that day; default: the newest */
                readonly as_of?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["MarketOverview"];
                    };
                };
            };
        };
    };
    readonly getCalendar: {
        readonly parameters: {
            readonly query?: {
                /** @description The first day; default: today in New York */
                readonly start?: string;
                /** @description The last day; default: 90 days after `start` */
                readonly end?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Calendar"];
                    };
                };
            };
        };
    };
    readonly getSession: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A session, YYYY-MM-DD */
                readonly date: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Session"];
                    };
                    readonly "text/csv": string;
                    readonly "application/vnd.apache.arrow.stream": string;
                };
            };
        };
    };
    readonly listMarketEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description The first day */
                readonly start?: string;
                /** @description The last day */
                readonly end?: string;
                /** @description As they were known at the end of that day: without later corrections and ex-dates */
                readonly known_at?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["MarketEventList"];
                    };
                };
            };
        };
    };
    readonly listSymbolChanges: {
        readonly parameters: {
            readonly query?: {
                /** @description The first day */
                readonly start?: string;
                /** @description The last day */
                readonly end?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SymbolChangeList"];
                    };
                };
            };
        };
    };
    readonly getMeta: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Meta"];
                    };
                };
            };
        };
    };
    readonly listPlans: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Plans"];
                    };
                };
            };
        };
    };
    readonly getStats: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Stats"];
                    };
                };
            };
        };
    };
    readonly requestLoginCode: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RequestLoginCodeRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RequestLoginCodeData"];
                    };
                };
            };
        };
    };
    readonly verifyLoginCode: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["VerifyLoginCodeRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["VerifyLoginCodeData"];
                    };
                };
            };
        };
    };
    readonly loginAdmin: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LoginAdminRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["LoginAdminData"];
                    };
                };
            };
        };
    };
    readonly refreshTokens: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RefreshTokensRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["TokenPair"];
                    };
                };
            };
        };
    };
    readonly logout: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["LogoutRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["LogoutData"];
                    };
                };
            };
        };
    };
    readonly getProfile: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    readonly deleteAccount: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DeleteAccountRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly updateProfile: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateProfileRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["User"];
                    };
                };
            };
        };
    };
    readonly listApiKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ApiKeyList"];
                    };
                };
            };
        };
    };
    readonly createApiKey: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["NewApiKey"];
                    };
                };
            };
        };
    };
    readonly resetApiKeys: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["NewApiKey"];
                    };
                };
            };
        };
    };
    readonly deleteApiKey: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An API key */
                readonly key_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly updateApiKey: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An API key */
                readonly key_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateApiKeyRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ApiKey"];
                    };
                };
            };
        };
    };
    readonly getUsage: {
        readonly parameters: {
            readonly query?: {
                /** @description UTC calendar days, today included */
                readonly days?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Usage"];
                    };
                };
            };
        };
    };
    readonly getAccountPlan: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["AccountPlan"];
                    };
                };
            };
        };
    };
    readonly createVisit: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 4 KiB, and 1000 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateVisitRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["CreateVisitData"];
                    };
                };
            };
        };
    };
    readonly getDataExport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DataExport"];
                    };
                };
            };
        };
    };
    readonly createDataExport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DataExport"];
                    };
                };
            };
        };
    };
    readonly downloadDataExport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/zip": string;
                };
            };
            /** @description The part that `Range` asks for */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/zip": string;
                };
            };
        };
    };
    readonly listGrants: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["AssistantGrantList"];
                    };
                };
            };
        };
    };
    readonly deleteGrant: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description What an assistant was granted */
                readonly grant_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly getGrantRequest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The request of an assistant */
                readonly request_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["GrantRequest"];
                    };
                };
            };
        };
    };
    readonly createGrant: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The request of an assistant */
                readonly request_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateGrantRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["CreateGrantData"];
                    };
                };
            };
        };
    };
    readonly runBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunBacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestResult"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly listStrategies: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Strategies"];
                    };
                };
            };
        };
    };
    readonly listBacktests: {
        readonly parameters: {
            readonly query?: {
                /** @description Only backtests of this symbol */
                readonly symbol?: string;
                /** @description Only backtests of this strategy */
                readonly strategy?: "chandelier" | "sma_cross" | "donchian" | "rsi_reversion" | "bollinger_reversion" | "macd" | "roc_momentum" | "buy_hold" | "rules";
                /** @description The kind of results to list */
                readonly kind?: "backtest" | "portfolio" | "outcomes" | "all";
                /** @description Words that a run has, all of them, in its name, a tag, a symbol, the strategy, the idea, or the range; `strategy:rsi` and `tag:idea` look there only, `kind:portfolio` at the kind, `>0` and `<-10` at the total return in percent, `2026-05` at the day of its creation; `best` puts the highest return first */
                readonly q?: string;
                /** @description Created at or after; a date or an ISO time */
                readonly start?: string;
                /** @description Created at or before; a date includes the whole day (UTC) */
                readonly end?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly page_size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestHistoryItemList"];
                    };
                };
            };
        };
    };
    readonly getBacktestJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["GetBacktestJobData"];
                    };
                };
            };
        };
    };
    readonly getBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether the answer includes the bars */
                readonly include_klines?: boolean;
                /** @description Whether the answer includes the trades */
                readonly include_trades?: boolean;
                /** @description Whether the answer includes daily equity and drawdown */
                readonly include_equity?: boolean;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestResult"];
                    };
                };
            };
        };
    };
    readonly updateBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateBacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestHistoryItem"];
                    };
                };
            };
        };
    };
    readonly shareBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShareBacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ShareBacktestData"];
                    };
                };
            };
        };
    };
    readonly runNeighbors: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunNeighborsRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["NeighborsOfBacktest"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getBacktestExample: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestExample"];
                    };
                };
            };
        };
    };
    readonly getOptimizationExample: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OptimizationExample"];
                    };
                };
            };
        };
    };
    readonly runOptimization: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 64 KiB, and 5600 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunOptimizationRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getOptimizationJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OptimizationJob"];
                    };
                };
            };
        };
    };
    readonly runWebBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunBacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestResult"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly runNestedBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunNestedBacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestResult"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly listWebStrategies: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Strategies"];
                    };
                };
            };
        };
    };
    readonly listWebBacktests: {
        readonly parameters: {
            readonly query?: {
                /** @description Only backtests of this symbol */
                readonly symbol?: string;
                /** @description Only backtests of this strategy */
                readonly strategy?: "chandelier" | "sma_cross" | "donchian" | "rsi_reversion" | "bollinger_reversion" | "macd" | "roc_momentum" | "buy_hold" | "rules";
                /** @description The kind of results to list */
                readonly kind?: "backtest" | "portfolio" | "outcomes" | "all";
                /** @description Words that a run has, all of them, in its name, a tag, a symbol, the strategy, the idea, or the range; `strategy:rsi` and `tag:idea` look there only, `kind:portfolio` at the kind, `>0` and `<-10` at the total return in percent, `2026-05` at the day of its creation; `best` puts the highest return first */
                readonly q?: string;
                /** @description Created at or after; a date or an ISO time */
                readonly start?: string;
                /** @description Created at or before; a date includes the whole day (UTC) */
                readonly end?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly page_size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestHistoryItemList"];
                    };
                };
            };
        };
    };
    readonly getSharedBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestResult"];
                    };
                };
            };
        };
    };
    readonly getWebBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestResult"];
                    };
                };
            };
        };
    };
    readonly deleteBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly shareWebBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShareWebBacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ShareBacktestData"];
                    };
                };
            };
        };
    };
    readonly exportBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description The rows of the file */
                readonly kind?: "trades" | "klines" | "equity";
                /** @description `csv` or `parquet` */
                readonly format?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                    readonly "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    readonly getReceipt: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Receipt"];
                    };
                };
            };
        };
    };
    readonly verifyBacktest: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Verification"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly runLookAhead: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["LookAheadReport"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getVerificationJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["VerificationJob"];
                    };
                };
            };
        };
    };
    readonly getLookAheadJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["LookAheadJob"];
                    };
                };
            };
        };
    };
    readonly getBarOrigin: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
                /** @description A session, YYYY-MM-DD */
                readonly date: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ExplainedBar"];
                    };
                };
            };
        };
    };
    readonly listRevisions: {
        readonly parameters: {
            readonly query?: {
                /** @description Only those of this symbol */
                readonly symbol?: string;
                /** @description Only those of this load */
                readonly load?: number;
                /** @description Recorded at or after; a date or an ISO time */
                readonly since?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RevisionList"];
                    };
                };
            };
        };
    };
    readonly getLoadImpact: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A load, as revisions name it */
                readonly load: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["LoadImpactList"];
                    };
                };
            };
        };
    };
    readonly listMyImpact: {
        readonly parameters: {
            readonly query?: {
                /** @description Only of this load */
                readonly load?: number;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ImpactList"];
                    };
                };
            };
        };
    };
    readonly getPortfolioReceipt: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Receipt"];
                    };
                };
            };
        };
    };
    readonly verifyPortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Verification"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly runPortfolioLookAhead: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["LookAheadReport"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getBacktestTearSheet: {
        readonly parameters: {
            readonly query?: {
                /** @description What the tear sheet compares the run with: a symbol, `buy_hold` of the instrument (the default of a backtest), or `equal_weight` of all instruments. For one instrument both are the same */
                readonly benchmark?: ("buy_hold" | "equal_weight") | string;
                /** @description At most 5 symbols, separated by commas, whose returns explain those of the run */
                readonly factors?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["TearSheet"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly exportBacktestTearSheet: {
        readonly parameters: {
            readonly query?: {
                /** @description The rows of the file */
                readonly table?: "series" | "regression" | "months" | "years" | "rolling_63" | "rolling_252" | "drawdowns" | "underwater" | "by_exit_reason" | "by_symbol" | "by_entry_month" | "bands";
                /** @description What the tear sheet compares the run with: a symbol, `buy_hold` of the instrument (the default of a backtest), or `equal_weight` of all instruments. For one instrument both are the same */
                readonly benchmark?: ("buy_hold" | "equal_weight") | string;
                /** @description At most 5 symbols, separated by commas, whose returns explain those of the run */
                readonly factors?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept backtest */
                readonly backtest_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getTearSheetJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["GetTearSheetJobData"];
                    };
                };
            };
        };
    };
    readonly getPortfolioTearSheet: {
        readonly parameters: {
            readonly query?: {
                /** @description What the tear sheet compares the run with: a symbol, `buy_hold` of the instrument (the default of a backtest), or `equal_weight` of all instruments. For one instrument both are the same */
                readonly benchmark?: ("buy_hold" | "equal_weight") | string;
                /** @description At most 5 symbols, separated by commas, whose returns explain those of the run */
                readonly factors?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["TearSheet"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly exportPortfolioTearSheet: {
        readonly parameters: {
            readonly query?: {
                /** @description The rows of the file */
                readonly table?: "series" | "regression" | "months" | "years" | "rolling_63" | "rolling_252" | "drawdowns" | "underwater" | "by_exit_reason" | "by_symbol" | "by_entry_month" | "bands";
                /** @description What the tear sheet compares the run with: a symbol, `buy_hold` of the instrument (the default of a backtest), or `equal_weight` of all instruments. For one instrument both are the same */
                readonly benchmark?: ("buy_hold" | "equal_weight") | string;
                /** @description At most 5 symbols, separated by commas, whose returns explain those of the run */
                readonly factors?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly runPortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 12 KiB, and 600 keys and list items */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunPortfolioRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RunPortfolioData"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getPortfolioExample: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["PortfolioResult"];
                    };
                };
            };
        };
    };
    readonly listRebalances: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RebalanceList"];
                    };
                };
            };
        };
    };
    readonly getPortfolioJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["PortfolioJob"];
                    };
                };
            };
        };
    };
    readonly getPortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Whether the answer includes the trades */
                readonly include_trades?: boolean;
                /** @description Whether the answer includes equity and positions by session */
                readonly include_equity?: boolean;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["PortfolioResult"];
                    };
                };
            };
        };
    };
    readonly updatePortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateBacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestHistoryItem"];
                    };
                };
            };
        };
    };
    readonly sharePortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["SharePortfolioRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ShareBacktestData"];
                    };
                };
            };
        };
    };
    readonly runWebPortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 12 KiB, and 600 keys and list items */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunPortfolioRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RunPortfolioData"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getSharedPortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["PortfolioResult"];
                    };
                };
            };
        };
    };
    readonly getWebPortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["PortfolioResult"];
                    };
                };
            };
        };
    };
    readonly deletePortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly shareWebPortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShareWebPortfolioRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ShareBacktestData"];
                    };
                };
            };
        };
    };
    readonly exportPortfolio: {
        readonly parameters: {
            readonly query?: {
                /** @description The rows of the file */
                readonly kind?: "trades" | "equity" | "positions" | "contributions" | "rebalances";
                /** @description `csv` or `parquet` */
                readonly format?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept portfolio */
                readonly portfolio_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                    readonly "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    readonly listSweeps: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Words that a sweep has, all of them, as in lists of kept backtests: in a strategy, a symbol that its request lists, an entry rule, or the range. A sweep has no tags and no return */
                readonly q?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SweepList"];
                    };
                };
            };
        };
    };
    readonly runSweep: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 938 KiB, and 40100 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunSweepRequestInput"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SweepJob"];
                    };
                };
            };
        };
    };
    readonly getSweepExample: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SweepExample"];
                    };
                };
            };
        };
    };
    readonly getSweepResult: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A sweep */
                readonly sweep_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SweepResult"];
                    };
                };
            };
        };
    };
    readonly downloadSweepCells: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A sweep */
                readonly sweep_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    readonly retrySweep: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A sweep */
                readonly sweep_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SweepJob"];
                    };
                };
            };
        };
    };
    readonly getSweep: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A sweep */
                readonly sweep_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ReadSweep"];
                    };
                };
            };
        };
    };
    readonly deleteSweep: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A sweep */
                readonly sweep_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly listFactorStudies: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["FactorStudyList"];
                    };
                };
            };
        };
    };
    readonly runFactorStudy: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 512 KiB, and 1300 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunFactorStudyRequestInput"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SweepJob"];
                    };
                };
            };
        };
    };
    readonly getFactorStudyResult: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A factor study */
                readonly study_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["FactorStudyResult"];
                    };
                };
            };
        };
    };
    readonly downloadFactorSeries: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A factor study */
                readonly study_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    readonly downloadFactorValues: {
        readonly parameters: {
            readonly query: {
                /** @description Its name */
                readonly factor: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A factor study */
                readonly study_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getFactorValuesJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["FactorValuesJob"];
                    };
                };
            };
        };
    };
    readonly retryFactorStudy: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A factor study */
                readonly study_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SweepJob"];
                    };
                };
            };
        };
    };
    readonly getFactorStudy: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A factor study */
                readonly study_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ReadFactorStudy"];
                    };
                };
            };
        };
    };
    readonly deleteFactorStudy: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A factor study */
                readonly study_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly listClaims: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Claims"];
                    };
                };
            };
        };
    };
    readonly getClaim: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A claim */
                readonly code: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Claim"];
                    };
                };
            };
        };
    };
    readonly runClaims: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunClaimsRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ClaimsResult"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getClaimsJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ClaimsJob"];
                    };
                };
            };
        };
    };
    readonly runOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunOutcomesRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Outcomes"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getOutcomesJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OutcomesJob"];
                    };
                };
            };
        };
    };
    readonly getOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Outcomes"];
                    };
                };
            };
        };
    };
    readonly updateOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateBacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestHistoryItem"];
                    };
                };
            };
        };
    };
    readonly shareOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShareOutcomesRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ShareBacktestData"];
                    };
                };
            };
        };
    };
    readonly getOutcomesReceipt: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Receipt"];
                    };
                };
            };
        };
    };
    readonly verifyOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Verification"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getSharedOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Outcomes"];
                    };
                };
            };
        };
    };
    readonly getWebOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Outcomes"];
                    };
                };
            };
        };
    };
    readonly deleteOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly shareWebOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShareWebOutcomesRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ShareBacktestData"];
                    };
                };
            };
        };
    };
    readonly exportOutcomes: {
        readonly parameters: {
            readonly query?: {
                /** @description The rows of the file */
                readonly kind?: "horizons" | "by_year" | "by" | "path" | "best" | "worst";
                /** @description `csv` or `parquet` */
                readonly format?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A kept run of outcomes */
                readonly outcomes_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                    readonly "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    readonly runJudgement: {
        readonly parameters: {
            readonly query?: {
                /** @description Returns as fractions, equity curves, or trades with `exit_date` and `pnl`, from 100,000 */
                readonly form?: "returns" | "equity" | "trades";
                /** @description A column of the record, or a symbol, with its dividends */
                readonly benchmark?: string;
                /** @description The market column of the risk-free rate */
                readonly risk_free?: string;
                /** @description Of which the record is the best */
                readonly trials?: number;
                /** @description Default: by the steps between rows */
                readonly frequency?: "day" | "week" | "month";
                /** @description Sharpe ratio a year of a stream with skill, for `power` and `fdr` */
                readonly sharpe?: number;
                /** @description Share of streams with skill, for `fdr` */
                readonly prior?: number;
                /** @description Streams with resamples and series, at most 20, separated by commas. Default: the best. Series: of the first, and of others up to 20,000 rows in all */
                readonly detail?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "text/csv": components["schemas"]["File"];
                readonly "application/x-ndjson": components["schemas"]["File"];
                readonly "application/vnd.apache.parquet": components["schemas"]["File"];
                readonly "application/vnd.apache.arrow.stream": components["schemas"]["File"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Judgement"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getJudgementJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["JudgementJob"];
                    };
                };
            };
        };
    };
    readonly listForwardRecords: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ForwardRecordList"];
                    };
                };
            };
        };
    };
    readonly sealRun: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SealRunRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ForwardRecordDetail"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getForwardRecord: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A forward record of the account */
                readonly forward_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ForwardRecordDetail"];
                    };
                };
            };
        };
    };
    readonly listForwardEntries: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A forward record of the account */
                readonly forward_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ForwardEntryList"];
                    };
                };
            };
        };
    };
    readonly shareForwardRecord: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A forward record of the account */
                readonly forward_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShareForwardRecordRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ShareBacktestData"];
                    };
                };
            };
        };
    };
    readonly stopForwardRecord: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A forward record of the account */
                readonly forward_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ForwardRecord"];
                    };
                };
            };
        };
    };
    readonly listForwardHeads: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ForwardHeads"];
                    };
                };
            };
        };
    };
    readonly getSharedForwardRecord: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SharedForwardRecord"];
                    };
                };
            };
        };
    };
    readonly listSharedForwardEntries: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ForwardEntryList"];
                    };
                };
            };
        };
    };
    readonly getSealJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SealJob"];
                    };
                };
            };
        };
    };
    readonly runScreener: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunScreenerRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ScreenerResult"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getScreenerExample: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ready-made screen */
                readonly preset: "trend_breakout" | "pullback_entry" | "volume_surge" | "low_vol_trend";
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ScreenerResult"];
                    };
                };
            };
        };
    };
    readonly getScreenerPresets: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ScreenerPresets"];
                    };
                };
            };
        };
    };
    readonly getScreenerJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ScreenerJob"];
                    };
                };
            };
        };
    };
    readonly listFiles: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Files"];
                    };
                };
            };
        };
    };
    readonly downloadFile: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The path with its slashes, as listed */
                readonly path: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    readonly listTables: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Tables"];
                    };
                };
            };
        };
    };
    readonly getTable: {
        readonly parameters: {
            readonly query?: {
                /** @description Newest snapshots at most */
                readonly limit?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A table with its namespace */
                readonly table: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Table"];
                    };
                };
            };
        };
    };
    readonly verifyRule: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["VerifyRuleRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RuleCheck"];
                    };
                };
            };
        };
    };
    readonly getRuleValues: {
        readonly parameters: {
            readonly query: {
                /** @description The period of a bar */
                readonly period?: "day" | "week" | "month";
                /** @description The first day. Overrides `days` */
                readonly start?: string;
                /** @description The last day. Later days are clamped to the newest distributable day */
                readonly end?: string;
                /** @description How many of the newest bars to return, in units of the period. `start` overrides it */
                readonly days?: number;
                /** @description `qfq`, or `split`, adjusts bars before a split, reverse split, or stock dividend to the share count of the newest bar; `total` reinvests cash dividends and spin-offs at their ex-date too */
                readonly adjust?: "none" | "qfq" | "total" | "split";
                /** @description Up to 8 values in the language of rules, separated by `;` */
                readonly values: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RuleValues"];
                    };
                };
            };
        };
    };
    readonly runQuery: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunQueryRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["QueryResult"];
                    };
                    readonly "text/csv": string;
                    readonly "application/vnd.apache.parquet": string;
                    readonly "application/vnd.apache.arrow.file": string;
                    readonly "application/vnd.apache.arrow.stream": string;
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly getQueryJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["QueryJob"];
                    };
                };
            };
        };
    };
    readonly listOwnStrategies: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OwnStrategyList"];
                    };
                };
            };
        };
    };
    readonly createOwnStrategy: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateOwnStrategyRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OwnStrategy"];
                    };
                };
            };
        };
    };
    readonly getOwnStrategy: {
        readonly parameters: {
            readonly query?: {
                /** @description Default: the newest */
                readonly version?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An own strategy */
                readonly strategy_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OwnStrategyDetail"];
                    };
                };
            };
        };
    };
    readonly updateOwnStrategy: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An own strategy */
                readonly strategy_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateOwnStrategyRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OwnStrategy"];
                    };
                };
            };
        };
    };
    readonly deleteOwnStrategy: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An own strategy */
                readonly strategy_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly shareOwnStrategy: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An own strategy */
                readonly strategy_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShareOwnStrategyRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ShareBacktestData"];
                    };
                };
            };
        };
    };
    readonly getSharedStrategy: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SharedStrategy"];
                    };
                };
            };
        };
    };
    readonly listWatches: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["WatchList"];
                    };
                };
            };
        };
    };
    readonly createWatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateWatchRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Watch"];
                    };
                };
            };
        };
    };
    readonly getWatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A watch */
                readonly watch_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Watch"];
                    };
                };
            };
        };
    };
    readonly deleteWatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A watch */
                readonly watch_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly updateWatch: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A watch */
                readonly watch_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateWatchRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Watch"];
                    };
                };
            };
        };
    };
    readonly listSignals: {
        readonly parameters: {
            readonly query?: {
                /** @description Of this session and later ones */
                readonly since?: string;
                /** @description Only those of this watch */
                readonly watch_id?: number;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SignalList"];
                    };
                };
            };
        };
    };
    readonly getColumn: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the column, no word of the language of rules */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Column"];
                    };
                };
            };
        };
    };
    readonly updateColumn: {
        readonly parameters: {
            readonly query?: {
                /** @description Default: `label` if a value is text */
                readonly kind?: "number" | "label";
                /** @description One value for all instruments, without `symbol` */
                readonly market?: boolean;
                /** @description Sessions after `date` at whose close a row without `known_at` is known. Default 1; 0 for membership */
                readonly lag?: number;
                /** @description Shares and prices are carried over splits */
                readonly dimension?: "none" | "shares" | "price" | "money";
                /** @description Such as `percent_per_year` */
                readonly unit?: string;
                /** @description Membership as intervals (symbol, from, to) or as complete lists by date */
                readonly form?: "rows" | "intervals" | "snapshots";
                /** @description Default `replace` */
                readonly mode?: "replace" | "append";
                /** @description `later`: forecasts, whose newest `known_at` counts */
                readonly about?: "value" | "later";
                /** @description Whether a day as `known_at` is before its close. Default `after_close` */
                readonly day_means?: "after_close" | "before_close";
                /** @description Sessions after which a value counts no more */
                readonly stale_after?: number;
                /** @description Whose a ticker is: needed where another instrument has it now */
                readonly symbols?: "as_of_date" | "current";
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the column, no word of the language of rules */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "text/csv": components["schemas"]["File"];
                readonly "application/x-ndjson": components["schemas"]["File"];
                readonly "application/vnd.apache.parquet": components["schemas"]["File"];
                readonly "application/vnd.apache.arrow.stream": components["schemas"]["File"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["WrittenColumn"];
                    };
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly deleteColumn: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the column, no word of the language of rules */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly listColumns: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OwnColumnList"];
                    };
                };
            };
        };
    };
    readonly listColumnRows: {
        readonly parameters: {
            readonly query?: {
                /** @description Needed unless the column is of the market */
                readonly symbol?: string;
                /** @description The first `date` */
                readonly start?: string;
                /** @description The last `date` */
                readonly end?: string;
                /** @description Only rows that were seen by the close of this day */
                readonly as_of?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the column, no word of the language of rules */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ColumnRows"];
                    };
                };
            };
        };
    };
    readonly getColumnJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds to wait for a change of state or progress. The answer comes at once if the run has ended, or if ten calls of the caller are already waiting */
                readonly wait?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A job, as the answer 202 names it */
                readonly job_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ColumnJob"];
                    };
                };
            };
        };
    };
    readonly listDrawings: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DrawingList"];
                    };
                };
            };
        };
    };
    readonly createDrawing: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateDrawingRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Drawing"];
                    };
                };
            };
        };
    };
    readonly deleteDrawing: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol: string;
                /** @description A drawing */
                readonly drawing_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly listWebhooks: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["WebhookList"];
                    };
                };
            };
        };
    };
    readonly createWebhook: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["NewWebhook"];
                    };
                };
            };
        };
    };
    readonly deleteWebhook: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A webhook */
                readonly webhook_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly updateWebhook: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A webhook */
                readonly webhook_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    readonly listDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A webhook */
                readonly webhook_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["WebhookDeliveryList"];
                    };
                };
            };
        };
    };
    readonly createTestDelivery: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A webhook */
                readonly webhook_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["CreateTestDeliveryData"];
                    };
                };
            };
        };
    };
    readonly retryDelivery: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A webhook */
                readonly webhook_id: number;
                /** @description A delivery of a webhook */
                readonly delivery_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["CreateTestDeliveryData"];
                    };
                };
            };
        };
    };
    readonly retryDeliveries: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A webhook */
                readonly webhook_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RetryDeliveriesRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RetryDeliveriesData"];
                    };
                };
            };
        };
    };
    readonly getStream: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": components["schemas"]["EventStream"];
                };
            };
        };
    };
    readonly listArticles: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Only articles of this category */
                readonly category?: "strategy" | "backtest" | "data" | "concept";
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleItemList"];
                    };
                };
            };
        };
    };
    readonly getArticle: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases */
                readonly locale?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Article"];
                    };
                };
            };
        };
    };
    readonly downloadArticleCover: {
        readonly parameters: {
            readonly query?: {
                /** @description Changes with the picture */
                readonly v?: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/png": string;
                    readonly "image/jpeg": string;
                    readonly "image/webp": string;
                };
            };
            /** @description The part that `Range` asks for */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "image/png": string;
                    readonly "image/jpeg": string;
                    readonly "image/webp": string;
                };
            };
        };
    };
    readonly listAdminArticles: {
        readonly parameters: {
            readonly query?: {
                /** @description The status of a text */
                readonly status?: "draft" | "published";
                /** @description Only articles of this category */
                readonly category?: "strategy" | "backtest" | "data" | "concept";
                /** @description Part of the slug or of a title */
                readonly q?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleGroupItemList"];
                    };
                };
            };
        };
    };
    readonly createArticle: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 1024 KiB, and 1000 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateArticleRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleGroup"];
                    };
                };
            };
        };
    };
    readonly previewArticle: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 1024 KiB, and 1000 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PreviewArticleRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["PreviewArticleData"];
                    };
                };
            };
        };
    };
    readonly getAdminArticle: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleGroup"];
                    };
                };
            };
        };
    };
    readonly updateArticle: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        /** @description At most 1024 KiB, and 1000 keys and list items */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateArticleRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleGroup"];
                    };
                };
            };
        };
    };
    readonly deleteArticle: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly updateArticleCover: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        /** @description At most 1366.3359375 KiB, and 10 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateArticleCoverRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleGroup"];
                    };
                };
            };
        };
    };
    readonly deleteArticleCover: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleGroup"];
                    };
                };
            };
        };
    };
    readonly publishArticle: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["PublishArticleRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleGroup"];
                    };
                };
            };
        };
    };
    readonly unpublishArticle: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name in the address */
                readonly slug: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["PublishArticleRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ArticleGroup"];
                    };
                };
            };
        };
    };
    readonly listUsers: {
        readonly parameters: {
            readonly query?: {
                /** @description Part of the e-mail address, nickname, or name */
                readonly q?: string;
                /** @description The assigned plan, expired or not */
                readonly plan?: "free" | "pro" | "enterprise";
                /** @description Only accounts with this status */
                readonly status?: "active" | "banned" | "disabled";
                /** @description Only administrators (`true`) or only others (`false`) */
                readonly is_admin?: boolean;
                /** @description The country of the registration, two letters */
                readonly country?: string;
                /** @description What to sort by */
                readonly sort?: "created_at" | "login_count" | "last_login_at";
                /** @description The direction of the sort */
                readonly order?: "asc" | "desc";
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["AdminUserList"];
                    };
                };
            };
        };
    };
    readonly listUserCountries: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["UserCountries"];
                    };
                };
            };
        };
    };
    readonly getUser: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An account */
                readonly user_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["AdminUserDetail"];
                    };
                };
            };
        };
    };
    readonly updateUser: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An account */
                readonly user_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["AdminUser"];
                    };
                };
            };
        };
    };
    readonly deleteUserApiKey: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An account */
                readonly user_id: number;
                /** @description An API key */
                readonly key_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly listLoginEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An account */
                readonly user_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["LoginEventList"];
                    };
                };
            };
        };
    };
    readonly listAuditEntries: {
        readonly parameters: {
            readonly query?: {
                /** @description Exact */
                readonly action?: string;
                /** @description Part of the e-mail address, or the id of the account */
                readonly actor?: string;
                /** @description Exact, such as `user` or `article` */
                readonly target_type?: string;
                /** @description Exact */
                readonly target_id?: string;
                /** @description `ok`, or `failed` for refused and failed actions */
                readonly result?: "ok" | "failed";
                /** @description An ISO time with its offset, or YYYY-MM-DD for the first moment of the day (UTC) */
                readonly from?: string;
                /** @description An ISO time with its offset, or YYYY-MM-DD for the last moment of the day (UTC) */
                readonly to?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["AuditEntryList"];
                    };
                };
            };
        };
    };
    readonly getAuditVocabulary: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["AuditVocabulary"];
                    };
                };
            };
        };
    };
    readonly getAuditEntry: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An entry of the audit log */
                readonly entry_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["AuditEntry"];
                    };
                };
            };
        };
    };
    readonly listLoadedSymbols: {
        readonly parameters: {
            readonly query?: {
                /** @description Part of the symbol or name, or a former ticker */
                readonly q?: string;
                /** @description Only instruments of this market */
                readonly market?: "US" | "HK" | "CN";
                /** @description Only instruments with (`true`) or without (`false`) daily bars */
                readonly has_bars?: boolean;
                /** @description Only active or only delisted instruments */
                readonly status?: "active" | "delisted";
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["LoadedSymbolList"];
                    };
                };
            };
        };
    };
    readonly getCoverage: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Coverage"];
                    };
                };
            };
        };
    };
    readonly updateCommonColumn: {
        readonly parameters: {
            readonly query: {
                /** @description Default: `label` if a value is text */
                readonly kind?: "number" | "label";
                /** @description One value for all instruments, without `symbol` */
                readonly market?: boolean;
                /** @description Sessions after `date` at whose close a row without `known_at` is known. Default 1; 0 for membership */
                readonly lag?: number;
                /** @description Shares and prices are carried over splits */
                readonly dimension?: "none" | "shares" | "price" | "money";
                /** @description Such as `percent_per_year` */
                readonly unit?: string;
                /** @description Membership as intervals (symbol, from, to) or as complete lists by date */
                readonly form?: "rows" | "intervals" | "snapshots";
                /** @description Default `replace` */
                readonly mode?: "replace" | "append";
                /** @description `later`: forecasts, whose newest `known_at` counts */
                readonly about?: "value" | "later";
                /** @description Whether a day as `known_at` is before its close. Default `after_close` */
                readonly day_means?: "after_close" | "before_close";
                /** @description Sessions after which a value counts no more */
                readonly stale_after?: number;
                /** @description Whose a ticker is: needed where another instrument has it now */
                readonly symbols?: "as_of_date" | "current";
                /** @description Told to everyone */
                readonly source: string;
                /** @description Told to everyone */
                readonly license: string;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the column, no word of the language of rules */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "text/csv": components["schemas"]["File"];
                readonly "application/x-ndjson": components["schemas"]["File"];
                readonly "application/vnd.apache.parquet": components["schemas"]["File"];
                readonly "application/vnd.apache.arrow.stream": components["schemas"]["File"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BacktestJob"];
                    };
                };
            };
        };
    };
    readonly deleteCommonColumn: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The name of the column, no word of the language of rules */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly getDataCalendar: {
        readonly parameters: {
            readonly query?: {
                /** @description First day */
                readonly start?: string;
                /** @description Last day; default: today in New York */
                readonly end?: string;
                /** @description Only this venue basis */
                readonly venue_mode?: "consolidated" | "single_venue" | "primary_session";
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DataCalendar"];
                    };
                };
            };
        };
    };
    readonly getSessionImpact: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A session, YYYY-MM-DD */
                readonly date: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SessionImpactList"];
                    };
                };
            };
        };
    };
    readonly releaseSession: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A session, YYYY-MM-DD */
                readonly date: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ReleaseSessionData"];
                    };
                };
            };
        };
    };
    readonly listSessionSteps: {
        readonly parameters: {
            readonly query?: {
                /** @description How many sessions */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SessionStepsList"];
                    };
                };
            };
        };
    };
    readonly runSessionStep: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RunSessionStepRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SessionStepRun"];
                    };
                };
            };
        };
    };
    readonly listDataFindings: {
        readonly parameters: {
            readonly query?: {
                /** @description Only this kind */
                readonly kind?: "contradicted" | "split_suspected" | "hole";
                /** @description Only this status */
                readonly status?: "open" | "confirmed" | "ignored" | "mended";
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DataFindingList"];
                    };
                };
            };
        };
    };
    readonly updateDataFinding: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An id from the list */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateDataFindingRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DataFinding"];
                    };
                };
            };
        };
    };
    readonly previewDataFiles: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 8192 KiB, and 1000 keys and list items */
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["PreviewDataFilesRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["FileCheck"];
                    };
                };
            };
        };
    };
    readonly listSyncJobs: {
        readonly parameters: {
            readonly query?: {
                /** @description Only loads of this kind */
                readonly job_type?: "symbols" | "adjustments" | "daily_bars";
                /** @description Only loads with this status */
                readonly status?: "running" | "ok" | "failed";
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SyncJobList"];
                    };
                };
            };
        };
    };
    readonly createSyncJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 235 KiB, and 10100 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateSyncJobRequest"];
            };
        };
        readonly responses: {
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SyncJob"];
                    };
                };
            };
        };
    };
    readonly getSyncJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An id from the list */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SyncJob"];
                    };
                };
            };
        };
    };
    readonly listSyncJobFiles: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An id from the list */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SyncJobFileList"];
                    };
                };
            };
        };
    };
    readonly retrySyncJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An id from the list */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SyncJob"];
                    };
                };
            };
        };
    };
    readonly cancelSyncJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An id from the list */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["SyncJob"];
                    };
                };
            };
        };
    };
    readonly listComparisons: {
        readonly parameters: {
            readonly query?: {
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ComparisonList"];
                    };
                };
            };
        };
    };
    readonly createComparison: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateComparisonRequest"];
            };
        };
        readonly responses: {
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Comparison"];
                    };
                };
            };
        };
    };
    readonly listDifferences: {
        readonly parameters: {
            readonly query?: {
                /** @description Only differences of this kind */
                readonly kind?: "differs" | "only_here" | "only_there";
                /** @description A ticker with or without `.US`, in any case */
                readonly symbol?: string;
                /** @description First day */
                readonly start?: string;
                /** @description Last day */
                readonly end?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An id from the list */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["BarDifferenceList"];
                    };
                };
            };
        };
    };
    readonly downloadDifferences: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An id from the list */
                readonly id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    readonly createExport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** @description At most 469 KiB, and 20100 keys and list items */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateExportRequest"];
            };
        };
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                    readonly "application/gzip": string;
                    readonly "application/vnd.apache.parquet": string;
                };
            };
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Export"];
                    };
                };
            };
        };
    };
    readonly listExports: {
        readonly parameters: {
            readonly query?: {
                /** @description Only exports with this status */
                readonly status?: "pending" | "running" | "done" | "failed";
                /** @description Only the caller's own exports */
                readonly mine?: boolean;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ExportList"];
                    };
                };
            };
        };
    };
    readonly getExport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An export */
                readonly export_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Export"];
                    };
                };
            };
        };
    };
    readonly downloadExport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An export */
                readonly export_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                    readonly "application/gzip": string;
                    readonly "application/vnd.apache.parquet": string;
                };
            };
            /** @description The part that `Range` asks for */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": string;
                    readonly "application/gzip": string;
                    readonly "application/vnd.apache.parquet": string;
                };
            };
        };
    };
    readonly retryExport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An export */
                readonly export_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Export"];
                    };
                };
            };
        };
    };
    readonly cancelExport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description An export */
                readonly export_id: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Export"];
                    };
                };
            };
        };
    };
    readonly getStatsOverview: {
        readonly parameters: {
            readonly query?: {
                /** @description UTC calendar days, today included */
                readonly days?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["StatsOverview"];
                    };
                };
            };
        };
    };
    readonly getStatsTimeseries: {
        readonly parameters: {
            readonly query?: {
                /** @description The metric to count */
                readonly metric?: "pv" | "uv" | "users" | "backtests" | "api_calls";
                /** @description UTC calendar days, today included */
                readonly days?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["StatsTimeseries"];
                    };
                };
            };
        };
    };
    readonly getClientStats: {
        readonly parameters: {
            readonly query?: {
                /** @description UTC calendar days, today included */
                readonly days?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["ClientStats"];
                    };
                };
            };
        };
    };
    readonly listQueues: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["QueueList"];
                    };
                };
            };
        };
    };
    readonly retryFailedJobs: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A queue of jobs */
                readonly queue: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RetryFailedJobsRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["RetryFailedJobsData"];
                    };
                };
            };
        };
    };
    readonly pauseQueue: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A queue of jobs */
                readonly queue: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Queue"];
                    };
                };
            };
        };
    };
    readonly resumeQueue: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A queue of jobs */
                readonly queue: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Queue"];
                    };
                };
            };
        };
    };
    readonly listJobFailures: {
        readonly parameters: {
            readonly query?: {
                /** @description Only failures of this queue */
                readonly queue?: "backtest" | "portfolio" | "optimize" | "verify" | "look_ahead" | "tear_sheet" | "screen" | "sql" | "factor_values" | "claims" | "outcomes" | "judge" | "seal" | "column" | "sweep.chunk" | "sweep.assemble" | "verify.sample" | "mail.login_code" | "export" | "export.account" | "export.expire" | "snapshot.build" | "signals.evaluate" | "signals.mail" | "webhooks.deliver" | "lake.write" | "claims.newest" | "forward.append" | "impact" | "impact.mail" | "compare" | "storage.sweep" | "storage.remove" | "backup.write" | "backup.drill" | "sync.symbols" | "sync.adjustments" | "sync.daily_bars";
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["JobFailures"];
                    };
                };
            };
        };
    };
    readonly listJobs: {
        readonly parameters: {
            readonly query?: {
                /** @description Only jobs of this queue */
                readonly queue?: "backtest" | "portfolio" | "optimize" | "verify" | "look_ahead" | "tear_sheet" | "screen" | "sql" | "factor_values" | "claims" | "outcomes" | "judge" | "seal" | "column" | "sweep.chunk" | "sweep.assemble" | "verify.sample" | "mail.login_code" | "export" | "export.account" | "export.expire" | "snapshot.build" | "signals.evaluate" | "signals.mail" | "webhooks.deliver" | "lake.write" | "claims.newest" | "forward.append" | "impact" | "impact.mail" | "compare" | "storage.sweep" | "storage.remove" | "backup.write" | "backup.drill" | "sync.symbols" | "sync.adjustments" | "sync.daily_bars";
                /** @description Only jobs in this state */
                readonly state?: "waiting" | "retry" | "active" | "completed" | "cancelled" | "failed";
                /** @description Only failed jobs with this cause */
                readonly cause?: string;
                /** @description Only jobs for the account with this e-mail */
                readonly account?: string;
                /** @description Only jobs that this worker runs or ran */
                readonly worker?: string;
                /** @description Only jobs with this in their id, input, or error */
                readonly text?: string;
                /** @description Only jobs queued from then on */
                readonly from?: string;
                /** @description Only jobs queued until then */
                readonly to?: string;
                /** @description The page; the first is 1 */
                readonly page?: number;
                /** @description Items per page */
                readonly size?: number;
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["JobList"];
                    };
                };
            };
        };
    };
    readonly updateJobs: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateJobsRequest"];
            };
        };
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["JobsUpdate"];
                    };
                };
            };
        };
    };
    readonly listInstances: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["InstanceList"];
                    };
                };
            };
        };
    };
    readonly getJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A queue of jobs */
                readonly queue: string;
                /** @description An id from the list */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["JobDetail"];
                    };
                };
            };
        };
    };
    readonly retryJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A queue of jobs */
                readonly queue: string;
                /** @description An id from the list */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Queued, not done yet */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["JobDetail"];
                    };
                };
            };
        };
    };
    readonly cancelJob: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A queue of jobs */
                readonly queue: string;
                /** @description An id from the list */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["JobDetail"];
                    };
                };
            };
        };
    };
    readonly listOpenSweeps: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OperatedSweepList"];
                    };
                };
            };
        };
    };
    readonly cancelAnySweep: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A sweep */
                readonly sweep_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["DeleteAccountData"];
                    };
                };
            };
        };
    };
    readonly retryAnySweep: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description A sweep */
                readonly sweep_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["Sweep"];
                    };
                };
            };
        };
    };
    readonly getOnCallReport: {
        readonly parameters: {
            readonly query?: {
                /** @description Language: en, zh-CN, zh-TW, and their aliases. Overrides Accept-Language */
                readonly lang?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Success"] & {
                        readonly data: components["schemas"]["OnCallReport"];
                    };
                };
            };
        };
    };
}
