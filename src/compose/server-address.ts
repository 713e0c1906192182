// Where the service of a data folder is reached, as links and commands name it.
import type { Config } from '../config/load-config.ts';
import { readServerAddress } from '../operations/access/first-start.ts';

/** `listening` is known to the service itself; others read what the running one wrote down, because its port may be any. */
export const serverAddressOf = (config: Config, listening: string | null = null): string =>
  config.public_url ?? listening ?? readServerAddress(config.data) ?? `http://${config.host}:${config.port}`;
