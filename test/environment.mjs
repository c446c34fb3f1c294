/**
 * Jest's environment with a global object of V8's own. That of Jest is a proxy, through which every read of `Math` goes, so that
 * a loop over figures takes fifty times as long.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import vm from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { TestEnvironment } from 'jest-environment-node';

/** Shared with Node, whose buffers are made of them. */
const SHARED = new Set(['Buffer', 'ArrayBuffer', 'Uint8Array']);

export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const proxied = this.global;
    this.context = vm.createContext(vm.constants.DONT_CONTEXTIFY);
    this.global = vm.runInContext('globalThis', this.context);
    for (const name of Reflect.ownKeys(proxied)) {
      if (!SHARED.has(name) && name in this.global) continue;
      const define = (descriptor) => Object.defineProperty(this.global, name, { configurable: true, ...descriptor });
      const settle = (value) => define({ value, writable: true });
      // Some are loaded when they are first read.
      define({
        get() {
          const value = proxied[name];
          settle(value);
          return value;
        },
        set: settle,
      });
    }
    this.global.global = this.global;
    this.fakeTimersModern = new ModernFakeTimers({ config: config.projectConfig, global: this.global });
    this.waits = 'waits' in context.docblockPragmas;
  }

  /** Waits for a place (`support/places.ts`), unless the file does little but wait. */
  async setup() {
    await super.setup();
    if (this.waits || process.env.TEST_PLACES === undefined) return;
    this.place = connect(process.env.TEST_PLACES);
    await once(this.place, 'data');
  }

  async teardown() {
    this.place?.destroy();
    await super.teardown();
  }
}
