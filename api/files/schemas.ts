/** Responses of the files of the market. */
import { instant, z } from '../http/input/fields.ts';

export const filesSchema = z.object({
  schema_version: z.int(),
  data_version: z.string(),
  newest_session: z.iso.date(),
  written_at: instant,
  bytes: z.int(),
  files: z.array(z.object({ path: z.string(), rows: z.int(), bytes: z.int(), sha256: z.string() })),
});
