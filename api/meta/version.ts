/** The version in the interface description. */
export const DESCRIPTION_VERSION = '0.1.0';
