// credentials.json in the data folder: how whoever may read it reaches the service. Commands that make links read it too, so this
// loads nothing else.
import { readFileSync } from 'node:fs';
import { inDataFolder } from '../../kit/make-data-folder.ts';
import { writePrivateFile } from '../../kit/write-private-file.ts';

export interface Credentials {
  readonly base_url: string;
  readonly token: string;
  readonly entity: string;
}

export const credentialsFile = (dataFolder: string): string => inDataFolder(dataFolder, 'credentials.json');

/** Null when it is missing or is not what we wrote. */
export function readCredentials(path: string): Credentials | null {
  try {
    const { base_url, token, entity } = JSON.parse(readFileSync(path, 'utf8')) as Record<keyof Credentials, unknown>;
    return isText(base_url) && isText(token) && isText(entity) ? { base_url, token, entity } : null;
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';

export const writeCredentials = (path: string, credentials: Credentials): void =>
  writePrivateFile(path, `${JSON.stringify(credentials, null, 2)}\n`);

/** Where the server that wrote the file listens; null when none did. */
export const readServerAddress = (dataFolder: string): string | null =>
  readCredentials(credentialsFile(dataFolder))?.base_url ?? null;

/** For a server that ends: its address gives way to that of one that goes on. */
export function passAddressOn(dataFolder: string, from: string, to: string): void {
  const path = credentialsFile(dataFolder);
  const found = readCredentials(path);
  if (found?.base_url === from) writeCredentials(path, { ...found, base_url: to });
}
