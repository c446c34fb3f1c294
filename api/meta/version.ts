/** The version of the service and of its clients. */
export const API_VERSION = '0.3.0';
/** The version in the interface description. */
export const DESCRIPTION_VERSION = '0.1.0';
