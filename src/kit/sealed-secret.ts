// Secrets that the service must be able to read again, such as tokens of other services: encrypted with
// AES-256-GCM by a key that never lies in the database, so that a copy of the database gives nothing away.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDataFolder } from './make-data-folder.ts';
import { writePrivateFile } from './write-private-file.ts';

export interface SecretBox {
  /** `context` says what the secret is of; it must be the same when it is opened. */
  seal(secret: string, context: string): Buffer;
  /** Throws when the key or the context is another, or a byte was changed. */
  open(sealed: Buffer, context: string): string;
  /** Whether it would be opened; null where there is no key to tell by, which is not made for this. */
  opens(sealed: Buffer, context: string): boolean | null;
}

/** So it is after a restore without the key. */
export class SealedWithAnotherKey extends Error {
  constructor(options?: ErrorOptions) {
    super(
      'a sealed secret cannot be opened: it was sealed with another key, or was changed; bring secret.key back and start the service anew, or store the secret again',
      options,
    );
    this.name = 'SealedWithAnotherKey';
  }
}

export const KEY_BYTES = 32;
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** A version byte, the nonce, the tag, the encrypted text. */
export function createSecretBox(key: Buffer): SecretBox {
  if (key.length !== KEY_BYTES) throw new Error(`a secret key has ${KEY_BYTES} bytes, not ${key.length}`);
  const box: SecretBox = {
    seal(secret, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]);
    },
    open(sealed, context) {
      if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) throw new Error('this is no sealed secret');
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
      try {
        return decipher.update(sealed.subarray(HEAD_BYTES), undefined, 'utf8') + decipher.final('utf8');
      } catch (cause) {
        throw new SealedWithAnotherKey({ cause });
      }
    },
    opens(sealed, context) {
      try {
        box.open(sealed, context);
        return true;
      } catch {
        return false;
      }
    },
  };
  return box;
}

/** 32 bytes as 64 hexadecimal digits or as base64; null when it is neither. */
export function parseSecretKey(text: string): Buffer | null {
  const clean = text.trim();
  if (/^[0-9a-f]{64}$/i.test(clean)) return Buffer.from(clean, 'hex');
  const bytes = /^[A-Za-z0-9+/_-]{43}=?$/.test(clean) ? Buffer.from(clean, 'base64') : null;
  return bytes?.length === KEY_BYTES ? bytes : null;
}

/** The key in a file; null when there is none. */
export function readKeyFile(path: string): Buffer | null {
  if (!existsSync(path)) return null;
  const key = parseSecretKey(readFileSync(path, 'utf8'));
  if (key === null) throw new Error(`${path} holds no key: expected 64 hexadecimal digits`);
  return key;
}

/** The key in a file that only its owner may read; made when it is missing. Several processes agree on one. */
export function readOrMakeKeyFile(path: string): Buffer {
  if (!existsSync(path)) {
    makeDataFolder(dirname(path));
    const fresh = `${path}.${randomBytes(6).toString('hex')}`;
    writePrivateFile(fresh, `${randomBytes(KEY_BYTES).toString('hex')}\n`);
    try {
      // Unlike a rename, a link does not replace what somebody else was quicker to make.
      linkSync(fresh, path);
    } catch (error) {
      if (!existsSync(path)) throw error;
    } finally {
      rmSync(fresh, { force: true });
    }
  }
  return readKeyFile(path)!;
}

export interface KeySource {
  /** Made when there is none. */
  make(): Buffer;
  read(): Buffer | null;
}

/** Opens its key at the first use, so that commands without secrets make no file. */
export function createLazySecretBox({ make, read }: KeySource): SecretBox {
  let box: SecretBox | undefined;
  const opened = (): SecretBox => {
    box ??= createSecretBox(make());
    return box;
  };
  return {
    seal: (secret, context) => opened().seal(secret, context),
    open: (sealed, context) => opened().open(sealed, context),
    opens(sealed, context) {
      const key = box === undefined ? read() : null;
      if (key !== null) box = createSecretBox(key);
      return box?.opens(sealed, context) ?? null;
    },
  };
}
