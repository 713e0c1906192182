// Where the copies of repos lie, for imports and for commands that end without them.
import type { Config } from '../config/load-config.ts';
import { inDataFolder } from '../kit/make-data-folder.ts';

export const mirrorsFolderOf = ({ data }: Pick<Config, 'data'>): string => inDataFolder(data, 'mirrors');
