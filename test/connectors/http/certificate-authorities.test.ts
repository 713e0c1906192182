// A host whose certificate a private authority signed: calls and git trust it by the same file, and not without.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuthorities } from '../../../src/connectors/http/certificate-authorities.ts';
import { createGuardedFetch } from '../../../src/connectors/http/guarded-fetch.ts';
import { followRedirects } from '../../../src/connectors/sources/follow-redirects.ts';
import { readSourceRefs } from '../../../src/engine/git/mirror.ts';
import { DEFAULT_GIT_ENVIRONMENT } from '../../../src/engine/git/run-git.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('\n*** NO OPENSSL FOUND: PRIVATE CERTIFICATE AUTHORITIES ARE NOT TESTED ***\n');

const folder = mkdtempSync(join(tmpdir(), 'strata-ca-'));
const at = (name: string): string => join(folder, name);
let server: Server;
let address: string;

describe.skipIf(!hasOpenssl)('a private certificate authority', () => {
  beforeAll(async () => {
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' });
    const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '3650'];
    openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Acme Internal CA');
    openssl('req', ...key.slice(0, 3), '-keyout', 'host.key', '-out', 'host.csr', '-subj', '/CN=git.internal');
    writeFileSync(at('host.ext'), 'subjectAltName=IP:127.0.0.1\n');
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '3650', '-extfile', 'host.ext'];
    openssl('x509', '-req', '-in', 'host.csr', '-out', 'host.pem', ...signing);
    // The plain form of the protocol: files of a bare repository.
    const repo = at('repo.git');
    const git = (...args: string[]) => execFileSync('git', args, { stdio: 'ignore' });
    mkdirSync(repo);
    git('init', '-q', '--bare', repo);
    const empty = execFileSync('git', ['-C', repo, 'hash-object', '-t', 'tree', '-w', '/dev/null']).toString().trim();
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@x.org'];
    const sha = execFileSync('git', [...identity, '-C', repo, 'commit-tree', empty, '-m', 'x'])
      .toString()
      .trim();
    git('-C', repo, 'update-ref', 'refs/heads/main', sha);
    git('-C', repo, 'update-server-info');
    server = createServer(
      { key: readFileSync(at('host.key')), cert: readFileSync(at('host.pem')) },
      (incoming, out) => {
        const path = (incoming.url ?? '/').split('?')[0]!;
        if (!path.startsWith('/repo.git/')) return void out.end('{"fine":true}');
        try {
          out.end(readFileSync(join(folder, path)));
        } catch {
          out.writeHead(404).end();
        }
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (authorities?: readonly string[]) => {
    const fetch = createGuardedFetch({ allowPrivate: true, ...(authorities === undefined ? {} : { authorities }) });
    return (await fetch(address)).json();
  };
  const list = (environment: Record<string, string>) =>
    readSourceRefs(
      { kind: 'url', url: `${address}/repo.git`, shown: address, credentials: null, pinnedHost: null },
      {
        gitDir: at('mirror.git'),
        environment: { ...DEFAULT_GIT_ENVIRONMENT, ...environment },
        sizeLimitBytes: 1e9,
        knownHostsFile: at('known_hosts'),
        timeoutSeconds: 30,
      },
    );

  test('is not trusted by itself', async () => {
    await expect(ask()).rejects.toThrow(/cannot be reached/);
    await expect(list({})).rejects.toThrow();
  });

  test('is trusted by calls, redirect probes and git when the file names it, and the public ones still are', async () => {
    const authorities = readAuthorities(at('ca.pem'));
    expect(authorities.length).toBe(rootCertificates.length + 1);
    expect(await ask(authorities)).toEqual({ fine: true });
    const reach = { isAllowed: () => true, authorities };
    const { url } = await followRedirects(new URL(`${address}/repo.git`), null, reach);
    expect(url.href).toBe(`${address}/repo.git`);
    writeFileSync(at('bundle.pem'), authorities.join('\n'));
    const refs = await list({ GIT_SSL_CAINFO: at('bundle.pem') });
    expect([...refs.shas.keys()]).toEqual(['refs/heads/main']);
  });

  test('is refused where its file is missing, empty or broken', () => {
    writeFileSync(at('empty.pem'), 'nothing\n');
    writeFileSync(at('broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    expect(() => readAuthorities(at('none.pem'))).toThrow(/ca_file: .*none\.pem cannot be read/);
    expect(() => readAuthorities(at('empty.pem'))).toThrow(/holds no certificate/);
    expect(() => readAuthorities(at('broken.pem'))).toThrow(/cannot be read/);
  });
});
