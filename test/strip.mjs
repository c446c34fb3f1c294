// Jest transformer: Node's own type stripping, so tests run exactly the code that the service runs.
import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
  getCacheKey: (source, file) => createHash('sha1').update(process.version).update(file).update(source).digest('hex'),
};
