/** The views that queries read. */
export const SQL_VIEWS = ['bars', 'bars_adjusted', 'symbols', 'events', 'sessions', 'screener_daily'] as const;
