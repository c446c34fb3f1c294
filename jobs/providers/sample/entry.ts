import { defineProvider, integer } from '../provider-entry.ts';

export const SAMPLE = defineProvider({
  settings: {
    variables: {
      SAMPLE_SYMBOLS: integer(50, 50_000).prefault('250').describe('instruments of the sample market'),
    },
    required: [],
  },
  open: async ({ SAMPLE_SYMBOLS }, { now }) => {
    const { SampleProvider } = await import('./sample-provider.ts');
    return new SampleProvider({ symbols: SAMPLE_SYMBOLS, now });
  },
  label: {
    en: 'Synthetic sample market: invented instruments and prices, not real data',
    'zh-CN': '合成的示例市场：证券与价格均为虚构，并非真实数据',
    'zh-TW': '合成的範例市場：證券與價格均為虛構，並非真實資料',
  },
});
