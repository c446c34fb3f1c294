import { dirname, join } from 'node:path';
import { defineProvider, folder, integer, requiredVariable } from '../provider-entry.ts';

export const FILES = defineProvider({
  settings: {
    variables: {
      PROVIDER_DIR: folder.optional().describe('folder of `files`'),
      FILES_SETTLE_S: integer(0, 3600)
        .prefault('5')
        .describe('seconds that a file of it must have stood still before it is read'),
    },
    required: ['PROVIDER_DIR'],
  },
  open: async ({ PROVIDER_DIR, FILES_SETTLE_S }, { now, cacheDir }) => {
    const { FilesProvider } = await import('./files-provider.ts');
    return new FilesProvider({
      folder: requiredVariable('PROVIDER_DIR', PROVIDER_DIR),
      cacheFile: join(cacheDir, 'files.json'),
      now,
      settleMs: FILES_SETTLE_S * 1000,
      dataFolder: dirname(cacheDir),
    });
  },
  label: { en: 'Files in a local folder', 'zh-CN': '本地文件夹中的文件', 'zh-TW': '本機資料夾中的檔案' },
});
