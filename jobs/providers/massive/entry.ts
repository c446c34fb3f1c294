import { parseDay } from '../../../engine/market/dates.ts';
import { defineProvider, PRIMARY_SESSION, requiredVariable, text, url } from '../provider-entry.ts';

/** The vendor's server accepts any region; this one is in its documentation. */
const REGION = 'us-east-1';
const BUCKET = 'flatfiles';
/** Enough for a rate limit to pass. */
const S3_ATTEMPTS = 5;

export const MASSIVE = defineProvider({
  settings: {
    variables: {
      MASSIVE_API_KEY: text().optional().describe("key of Massive's REST API"),
      MASSIVE_BASE_URL: url('http', 'https')
        .prefault('https://api.massive.com')
        .describe("address of Massive's REST API"),
      MASSIVE_S3_ACCESS_KEY_ID: text().optional().describe("key of Massive's flat files"),
      MASSIVE_S3_SECRET_ACCESS_KEY: text().optional().describe('secret of that key'),
      MASSIVE_S3_ENDPOINT: url('http', 'https')
        .prefault('https://files.massive.com')
        .describe("address of Massive's flat files"),
      ...PRIMARY_SESSION,
    },
    required: ['MASSIVE_API_KEY', 'MASSIVE_S3_ACCESS_KEY_ID', 'MASSIVE_S3_SECRET_ACCESS_KEY'],
  },
  open: async (given, { now }) => {
    const { MassiveProvider } = await import('./massive-provider.ts');
    const settings = {
      rest: {
        baseUrl: given.MASSIVE_BASE_URL,
        apiKey: requiredVariable('MASSIVE_API_KEY', given.MASSIVE_API_KEY),
      },
      flatFiles: {
        bucket: BUCKET,
        endpoint: given.MASSIVE_S3_ENDPOINT,
        region: REGION,
        accessKeyId: given.MASSIVE_S3_ACCESS_KEY_ID,
        secretAccessKey: given.MASSIVE_S3_SECRET_ACCESS_KEY,
        maxAttempts: S3_ATTEMPTS,
      },
      primarySessionFrom: parseDay(given.PRIMARY_SESSION_FROM ?? ''),
    };
    return new MassiveProvider(settings, now);
  },
  label: { en: 'Massive US stocks', 'zh-CN': 'Massive美股数据', 'zh-TW': 'Massive美股資料' },
});
