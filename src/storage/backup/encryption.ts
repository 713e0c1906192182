// A backup that nobody reads without its passphrase. Behind the mark and a salt come frames of a length, that many encrypted
// bytes and their tag, by AES-256-GCM with a key that scrypt makes of passphrase and salt. The number of a frame, and whether
// it is the last one, go into its nonce: none can be changed, moved, repeated or cut off unnoticed.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { promisify } from 'node:util';

const MARK = Buffer.from('STRATA encrypted 1\n');
const SALT_BYTES = 16;
const HEAD_BYTES = MARK.length + SALT_BYTES;
const LENGTH_BYTES = 4;
const TAG_BYTES = 16;
const FRAME_BYTES = 1 << 16;

const keyOf = (passphrase: string, salt: Buffer): Promise<Buffer> =>
  promisify<string, Buffer, number, object, Buffer>(scrypt)(passphrase, salt, 32, {
    N: 1 << 15,
    r: 8,
    p: 1,
    maxmem: 64 << 20,
  });

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 4, 6);
  nonce[10] = isLast ? 1 : 0;
  return nonce;
}

export const isEncrypted = (start: Buffer): boolean => start.subarray(0, MARK.length).equals(MARK);
export const MARK_BYTES = MARK.length;

abstract class Frames extends Transform {
  protected held: Buffer = Buffer.alloc(0);
  protected number = 0;

  protected abstract takeFrames(isEnd: boolean): void | Promise<void>;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.held = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    Promise.resolve()
      .then(() => this.takeFrames(false))
      .then(() => callback(), callback);
  }

  override _flush(callback: TransformCallback): void {
    Promise.resolve()
      .then(() => this.takeFrames(true))
      .then(() => callback(), callback);
  }
}

class Encryptor extends Frames {
  readonly #key: Buffer;

  constructor(key: Buffer, salt: Buffer) {
    super();
    this.#key = key;
    this.push(Buffer.concat([MARK, salt]));
  }

  protected takeFrames(isEnd: boolean): void {
    while (this.held.length > FRAME_BYTES) this.#write(FRAME_BYTES, false);
    if (isEnd) this.#write(this.held.length, true);
  }

  #write(bytes: number, isLast: boolean): void {
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonceOf(this.number++, isLast));
    const sealed = Buffer.concat([cipher.update(this.held.subarray(0, bytes)), cipher.final()]);
    this.held = this.held.subarray(bytes);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(sealed.length);
    this.push(Buffer.concat([length, sealed, cipher.getAuthTag()]));
  }
}

class Decryptor extends Frames {
  readonly #passphrase: string;
  #key: Buffer | null = null;

  constructor(passphrase: string) {
    super();
    this.#passphrase = passphrase;
  }

  protected async takeFrames(isEnd: boolean): Promise<void> {
    if (this.#key === null) {
      if (this.held.length < HEAD_BYTES) {
        if (isEnd) throw cutOff();
        return;
      }
      this.#key = await keyOf(this.#passphrase, this.held.subarray(MARK.length, HEAD_BYTES));
      this.held = this.held.subarray(HEAD_BYTES);
    }
    for (;;) {
      const bytes = this.held.length < LENGTH_BYTES ? Number.POSITIVE_INFINITY : this.held.readUInt32BE(0);
      if (bytes !== Number.POSITIVE_INFINITY && bytes > FRAME_BYTES) throw unreadable();
      const end = LENGTH_BYTES + bytes + TAG_BYTES;
      // What stands last is only opened when it is known to be the last.
      if (this.held.length < end || (!isEnd && this.held.length === end)) break;
      this.#open(bytes, end, isEnd && this.held.length === end);
      if (this.held.length === 0) return;
    }
    if (isEnd) throw cutOff();
  }

  #open(bytes: number, end: number, isLast: boolean): void {
    const decipher = createDecipheriv('aes-256-gcm', this.#key!, nonceOf(this.number++, isLast), {
      authTagLength: TAG_BYTES,
    }).setAuthTag(this.held.subarray(LENGTH_BYTES + bytes, end));
    try {
      this.push(
        Buffer.concat([decipher.update(this.held.subarray(LENGTH_BYTES, LENGTH_BYTES + bytes)), decipher.final()]),
      );
    } catch {
      throw unreadable();
    }
    this.held = this.held.subarray(end);
  }
}

const cutOff = (): Error => new Error('the backup file ends too early; it was cut or not finished');
const unreadable = (): Error =>
  new Error('the backup was encrypted with another passphrase, or is damaged; set backup_passphrase to the one it had');

export async function createEncryptor(passphrase: string): Promise<Transform> {
  const salt = randomBytes(SALT_BYTES);
  return new Encryptor(await keyOf(passphrase, salt), salt);
}

export const createDecryptor = (passphrase: string): Transform => new Decryptor(passphrase);
