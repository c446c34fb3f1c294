/** Version of the calculations. Any change that can change a served figure changes it. */
export const ENGINE_VERSION = '1.1.0';
