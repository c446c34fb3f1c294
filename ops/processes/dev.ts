/**
 * `npm run dev`: `npm start` in Node's watch mode. Watch mode makes its child report every module that it loads. The processes
 * and threads of the service would inherit that, and the reports would mix with their own messages.
 */
delete process.env.WATCH_REPORT_DEPENDENCIES;
await import('./start.ts');
