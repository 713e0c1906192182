// Where the package lies: the nearest folder above this code that holds package.json. The same from the sources, from
// compiled files and from a bundle, whatever their depth.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findPackageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) throw new Error(`No folder above ${import.meta.url} holds package.json`);
    folder = above;
  }
  return folder;
}

export const PACKAGE_FOLDER = findPackageFolder();
