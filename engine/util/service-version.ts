/** The version of the service and of its clients. */
export const SERVICE_VERSION = '0.3.0';
