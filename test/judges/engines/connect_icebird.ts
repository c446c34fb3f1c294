import { icebergRead } from 'icebird';

const url = process.env.MARKET_DATA_URL;
const key = String(process.env.MARKET_DATA_KEY);

/** The rows of a table, now or at a snapshot. */
export async function read(table: string, snapshot = '') {
  const address = `${url}/iceberg/v1/namespaces/market/tables/${table}${snapshot && `?snapshot=${snapshot}`}`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${key}` } });
  const { metadata } = JSON.parse(await answer.text());
  return icebergRead({ tableUrl: metadata.location, metadata });
}

// icebird takes every bucket for one of Amazon's.
const fetchAnywhere = globalThis.fetch;
globalThis.fetch = (address, init) => {
  const [, bucket, path] = /^https:\/\/([^/]+)\.s3\.amazonaws\.com\/(.*)/.exec(String(address)) ?? [];
  if (bucket === undefined) return fetchAnywhere(address, init);
  const headers = new Headers(init?.headers);
  headers.set('x-amz-security-token', key);
  return fetchAnywhere(`${url}/iceberg/objects/${bucket}/${path}`, { ...init, headers });
};

export const bars = await read('daily_bars');
