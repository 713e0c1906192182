// What `--file` may mean, as paths from the root of the repository: the path from there comes first, then the one from the
// folder that the command is called in. A repository without a work tree knows the first alone.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';

export function pathsOfFile(repository: string, file: string): string[] {
  // Git's quoted form names bytes, and no folder is left out of it.
  if (file === '' || file.startsWith('"')) return [file];
  const fromRoot = isAbsolute(file) ? null : insideOnly(posix.normalize(file));
  const root = findWorkTree(resolve(repository));
  const roots = root === null ? [] : [root, realpathSync(root)];
  const fromHere = roots.map((each) => insideOnly(relative(each, resolve(file)).replaceAll(sep, '/')));
  const paths = [fromRoot, ...fromHere].filter((path) => path !== null);
  return paths.length === 0 ? [file] : [...new Set(paths)];
}

const insideOnly = (path: string): string | null =>
  path === '' || path === '..' || path.startsWith('../') || isAbsolute(path) ? null : path;

/** As git looks for it: the nearest folder that has a `.git`, unless a bare repository comes before. */
function findWorkTree(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const isBare = ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(folder, name)));
  const above = dirname(folder);
  return isBare || above === folder ? null : findWorkTree(above);
}
