/** The version of the API, as its description declares it. */
export const API_VERSION = '0.3.0';
