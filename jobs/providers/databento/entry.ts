import { z } from 'zod';
import { parseDay } from '../../../engine/market/dates.ts';
import { defineProvider, PRIMARY_SESSION, requiredVariable, url } from '../provider-entry.ts';

export const DATABENTO = defineProvider({
  settings: {
    variables: {
      DATABENTO_API_KEY: z.string().startsWith('db-', 'must begin with db-').optional().describe('key of Databento'),
      DATABENTO_BASE_URL: url('http', 'https')
        .prefault('https://hist.databento.com')
        .describe("address of Databento's API"),
      ...PRIMARY_SESSION,
    },
    required: ['DATABENTO_API_KEY'],
  },
  open: async ({ DATABENTO_API_KEY, DATABENTO_BASE_URL, PRIMARY_SESSION_FROM }) => {
    const { DatabentoProvider } = await import('./databento-provider.ts');
    return new DatabentoProvider({
      apiKey: requiredVariable('DATABENTO_API_KEY', DATABENTO_API_KEY),
      baseUrl: DATABENTO_BASE_URL,
      primarySessionFrom: parseDay(PRIMARY_SESSION_FROM ?? ''),
    });
  },
  label: {
    en: 'Databento US Equities Summary',
    'zh-CN': 'Databento美股汇总数据',
    'zh-TW': 'Databento美股彙總資料',
  },
});
