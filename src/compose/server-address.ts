// Where the service of a data folder is reached, as links and commands name it.
import type { Config } from '../config/load-config.ts';
import { readServerAddress } from '../operations/access/credentials-file.ts';
import { listServers } from './running-servers.ts';

/** `listening` is known to the service itself; others read what the running one wrote down, because its port may be any. */
export const serverAddressOf = (config: Config, listening: string | null = null): string =>
  config.public_url ?? listening ?? addressOnData(config.data) ?? `http://${config.host}:${config.port}`;

/** The one that was written last, unless its server has ended and another goes on. */
function addressOnData(dataFolder: string): string | null {
  const written = readServerAddress(dataFolder);
  const running = listServers(dataFolder);
  return written !== null && running.includes(written) ? written : (running[0] ?? written);
}
