/**
 * `npm run dev`: `npm start` under Node's watch mode. Watch mode makes its child report every module that it loads; the
 * processes and threads of the service would inherit that and mix the reports with their own messages.
 */
delete process.env.WATCH_REPORT_DEPENDENCIES;
await import('./start.ts');
