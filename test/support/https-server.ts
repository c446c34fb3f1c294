/** A server over https on an address of this machine, whose certificate this process trusts. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';

export interface HttpsServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly close: () => void;
}

export async function openHttpsServer(address: string, listener: RequestListener): Promise<HttpsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'https-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', `subjectAltName=IP:${address}`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  execFileSync('openssl', ['req', '-x509', '-nodes', ...curve, '-keyout', keyFile, '-out', certFile, ...subject], {
    stdio: 'ignore',
  });
  const [key, cert] = [readFileSync(keyFile, 'utf8'), readFileSync(certFile, 'utf8')];
  rmSync(folder, { recursive: true });
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert]);
  const server = createServer({ key, cert }, listener);
  server.listen(0, address);
  await once(server, 'listening');
  const at = server.address();
  if (at === null || typeof at === 'string') throw new Error('the server has no port');
  return {
    url: `https://${address}:${at.port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
