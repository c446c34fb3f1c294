/** Headers that keep pages from loading, or being shown, where they should not. */
import type { RequestHandler } from 'express';
import helmet from 'helmet';

const YEAR_S = 365 * 86_400;

/** `styles`: further sources of styles. */
function securityHeaders(...styles: readonly string[]): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", ...styles],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // Only for browsers that have come by https.
    strictTransportSecurity: false,
  });
}

export const keepOnHttps = helmet.strictTransportSecurity({ maxAge: YEAR_S, includeSubDomains: false });
export const secure = securityHeaders();
/** For pages whose library writes style elements. */
export const secureWithStyles = securityHeaders("'unsafe-inline'");
