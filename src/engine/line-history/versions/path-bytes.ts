// Trees hold paths as bytes, everything else names them by text. Inside this folder a path is its bytes as latin1 text,
// so that each unit is one byte.
import { pathBytes, pathText } from '../../git/quoted-path.ts';

export const pathToBytes = (path: string): string => pathBytes(path).toString('latin1');

export const bytesToPath = (bytes: string): string => pathText(Buffer.from(bytes, 'latin1'));
