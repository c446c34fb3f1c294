/** Version of the calculations. It changes with every change that can alter a served figure. */
export const ENGINE_VERSION = '2.0.0';
