import { join } from 'node:path';
import type { DatabentoSettings } from './databento/client.ts';
import { DatabentoProvider } from './databento/databento-provider.ts';
import { FilesProvider } from './files/files-provider.ts';
import { MassiveProvider, type MassiveSettings } from './massive/massive-provider.ts';
import type { Provider } from './provider.ts';
import { SampleProvider } from './sample/sample-provider.ts';

export interface ProviderSettings {
  readonly provider: Provider['id'];
  /** Folder of the files provider. */
  readonly folder?: string;
  readonly sampleSymbols: number;
  /** Settings of the provider `databento`. */
  readonly databento?: DatabentoSettings;
  /** Settings of the provider `massive`. */
  readonly massive?: MassiveSettings;
  /** Folder for caches of the provider; it may be deleted at any time. */
  readonly cacheDir: string;
}

export function openProvider(settings: ProviderSettings, now: () => number): Provider {
  switch (settings.provider) {
    case 'sample':
      return new SampleProvider({ symbols: settings.sampleSymbols, now });
    case 'databento': {
      const { databento } = settings;
      if (!databento) throw new Error('the provider databento needs its settings');
      return new DatabentoProvider(databento);
    }
    case 'massive': {
      const { massive } = settings;
      if (!massive) throw new Error('the provider massive needs its settings');
      return new MassiveProvider(massive, now);
    }
    case 'files': {
      const { folder } = settings;
      if (folder === undefined) throw new Error('the provider files needs a folder');
      return new FilesProvider({ folder, cacheFile: join(settings.cacheDir, 'file-index.json'), now });
    }
  }
}
