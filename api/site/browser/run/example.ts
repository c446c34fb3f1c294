/** Examples that pages open with. */
import { ApiError } from '../api.ts';
import { locale } from '../page-locale.ts';
import { get } from '../session.ts';

/** It may still be computed: it is asked for again. */
const AGAIN_MS = 3_000;
const TRIES = 20;

/** Throws an `ApiError` where there is none. */
export async function readExample<Example>(address: string, signal: AbortSignal): Promise<Example> {
  for (let tries = 1; ; tries++) {
    try {
      return await get<Example>(address, { query: { locale }, signal });
    } catch (error) {
      if (!isNotReady(error) || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

const isNotReady = (error: unknown) => error instanceof ApiError && error.key === 'error.example_not_ready';
