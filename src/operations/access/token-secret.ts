// The secret part of an API token: 256 random bits behind a prefix that secret scanners can look for.
import { createHash, randomBytes } from 'node:crypto';

export const TOKEN_PREFIX = 'strata_';
const TOKEN = /^strata_[A-Za-z0-9_-]{43}$/;

export const newTokenSecret = (): string => `${TOKEN_PREFIX}${randomBytes(32).toString('base64url')}`;

export const isTokenSecret = (text: string): boolean => TOKEN.test(text);

/** What the database keeps. A plain hash is enough for a secret of 256 random bits. */
export const hashTokenSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
