/** Preloaded into a process by NODE_OPTIONS: records the address of each module that it and its threads load in the file RECORD_MODULES. */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { required } from '../../engine/util/values.ts';

const file = required(process.env.RECORD_MODULES);
registerHooks({
  load(url, context, next) {
    appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
