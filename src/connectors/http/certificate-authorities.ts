// Certificate authorities of one's own: hosts inside a company often show certificates that no public authority signed.
// Calls of hosts and git take the same list, the public ones and those of the operator's file.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { StrataError } from '../../domain/errors.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The public authorities and those of the file, as PEM. Throws where the file holds none that can be read. */
export function readAuthorities(file: string): readonly string[] {
  const own = [...readFile(file).matchAll(CERTIFICATE)].map(([text]) => text);
  if (own.length === 0) throw refused(file, 'holds no certificate in PEM form');
  for (const text of own) {
    try {
      new X509Certificate(text);
    } catch (cause) {
      throw refused(file, 'holds a certificate that cannot be read', cause);
    }
  }
  return [...rootCertificates, ...own];
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw refused(file, 'cannot be read', cause);
  }
}

const refused = (file: string, why: string, cause?: unknown): StrataError =>
  new StrataError('invalid_parameter', `ca_file: ${file} ${why}; expected a file of certificates in PEM form`, {
    cause,
  });
