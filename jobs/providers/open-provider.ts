/** Opens the provider that the settings name. Only its code is imported: those of the vendors bring clients of their own. */
import { dirname, join } from 'node:path';
import type { DatabentoSettings } from './databento/client.ts';
import type { MassiveSettings } from './massive/massive-provider.ts';
import type { Provider } from './provider.ts';

export interface ProviderSettings {
  readonly provider: Provider['id'];
  /** Folder of the files provider. */
  readonly folder?: string;
  /** How long a file of the folder must have stood still before it is read. */
  readonly settleMs?: number;
  readonly sampleSymbols: number;
  /** Settings of the provider `databento`. */
  readonly databento?: DatabentoSettings;
  /** Settings of the provider `massive`. */
  readonly massive?: MassiveSettings;
  /** Folder for caches of the provider; it may be deleted at any time. */
  readonly cacheDir: string;
}

export async function openProvider(settings: ProviderSettings, now: () => number): Promise<Provider> {
  switch (settings.provider) {
    case 'sample': {
      const { SampleProvider } = await import('./sample/sample-provider.ts');
      return new SampleProvider({ symbols: settings.sampleSymbols, now });
    }
    case 'databento': {
      const { databento } = settings;
      if (!databento) throw new Error('the provider databento needs its settings');
      const { DatabentoProvider } = await import('./databento/databento-provider.ts');
      return new DatabentoProvider(databento);
    }
    case 'massive': {
      const { massive } = settings;
      if (!massive) throw new Error('the provider massive needs its settings');
      const { MassiveProvider } = await import('./massive/massive-provider.ts');
      return new MassiveProvider(massive, now);
    }
    case 'files': {
      const { folder } = settings;
      if (folder === undefined) throw new Error('the provider files needs a folder');
      const { FilesProvider } = await import('./files/files-provider.ts');
      return new FilesProvider({
        folder,
        cacheFile: join(settings.cacheDir, 'files.json'),
        now,
        settleMs: settings.settleMs,
        dataFolder: dirname(settings.cacheDir),
      });
    }
  }
}
