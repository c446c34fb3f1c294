export type { OperationOptions } from './caller.ts';
export type { CompareBody, History, HistoryQuery } from './client.ts';
export { type Client, type ClientOptions, openClient, type Queued } from './client.ts';
export * from './errors.ts';
export type { Job, JobProgress, WaitOptions } from './jobs.ts';
export type { ErrorKey } from './operations.ts';
export type { RetryPolicy, Upload } from './transport.ts';
export type { BodyOf, Data, InputOf, ItemOf, OperationId, PathOf, QueryOf, Schema } from './types.ts';
