// Holds a source tree against the tables of this folder and returns what breaks them, one line each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, dirname, posix } from 'node:path';
import { DIRECTIONS } from './directions.ts';
import { EXCEPTIONS, type Exception } from './exceptions.ts';
import { findCycles } from './find-cycles.ts';
import { findMachinePaths } from './find-machine-paths.ts';
import { findUnusedExports } from './find-unused-exports.ts';
import { POWERS, type Power } from './powers.ts';
import { readSourceFile, type Sign, type SourceFile } from './source-file.ts';

/** Folders whose files follow the directions and the powers. */
const ROOTS = ['kernel', 'src', 'client', 'web'] as const;
/** Folders whose files only follow the rules of names. */
const NAMED_ROOTS = ['test', 'bench', 'bin'] as const;
/** Folders that are only looked through for paths of a machine. */
const TEXT_ROOTS = ['db', 'docs', 'contract', 'examples', '.ci'] as const;
const MAX_FILES_IN_FOLDER = 15;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
const EMPTY_NAMES = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'manager']);

export interface Problem {
  readonly rule: string;
  readonly path: string;
  readonly line?: number;
  readonly text: string;
}

export interface Findings {
  readonly files: number;
  readonly problems: readonly Problem[];
}

export const problemToLine = ({ rule, path, line, text }: Problem): string =>
  `${rule}: ${path}${line === undefined ? '' : `:${line}`} ${text}`;

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** `root` is a folder laid out like this project; `exceptions` are for it alone. */
export function findProblems(root: string, exceptions: readonly Exception[] = EXCEPTIONS): Findings {
  const paths = ROOTS.flatMap((folder) => listFiles(root, folder));
  const otherPaths = NAMED_ROOTS.flatMap((folder) => listFiles(root, folder));
  const sources = readSources(root, paths);
  const problems = [
    ...[...sources].flatMap(([path, source]) => [...checkDirections(root, path, source), ...checkPowers(path, source)]),
    ...checkPackages(root, sources),
    ...checkCycles(sources),
    ...findUnusedExports(new Map([...sources, ...readSources(root, otherPaths)])).map((found) => ({
      rule: 'exports',
      ...found,
    })),
    ...[...paths, ...otherPaths].flatMap(checkName),
    ...checkFolderSizes(paths),
    ...findMachinePaths(root, [
      ...paths,
      ...otherPaths,
      ...TEXT_ROOTS.flatMap((folder) => listFiles(root, folder)),
    ]).map((found) => ({ rule: 'machine', ...found })),
  ];
  return { files: sources.size, problems: applyExceptions(problems, exceptions) };
}

function readSources(root: string, paths: readonly string[]): Map<string, SourceFile> {
  return new Map(
    paths.filter((path) => /\.m?tsx?$|\.mjs$/.test(path)).map((path) => [path, readSourceFile(`${root}/${path}`)]),
  );
}

function listFiles(root: string, folder: string): string[] {
  if (!existsSync(`${root}/${folder}`)) return [];
  return readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => posix.join(entry.parentPath.slice(root.length + 1).replaceAll('\\', '/'), entry.name));
}

function checkDirections(root: string, path: string, source: SourceFile): Problem[] {
  const row = Object.keys(DIRECTIONS)
    .filter((folder) => isWithin(path, folder))
    .sort((a, b) => b.length - a.length)[0];
  if (row === undefined) return [{ rule: 'directions', path, text: 'is in a folder without a row of directions' }];
  const allowed = [row, ...DIRECTIONS[row]!];
  return source.imports.flatMap(({ specifier, line }) => {
    if (!specifier.startsWith('.')) return [];
    const target = posix.join(dirname(path), specifier);
    if (!existsSync(`${root}/${target}`))
      return [{ rule: 'directions', path, line, text: `imports ${target}, which is not there` }];
    if (allowed.some((folder) => isWithin(target, folder))) return [];
    return [{ rule: 'directions', path, line, text: `imports ${target}; ${row} may use ${allowed.join(', ')}` }];
  });
}

function checkPowers(path: string, source: SourceFile): Problem[] {
  return POWERS.filter((power) => !power.allowedIn.some((folder) => isWithin(path, folder))).flatMap((power) =>
    source.signs
      .filter((sign) => shows(power, sign))
      .map((sign) => ({
        rule: power.name,
        path,
        line: sign.line,
        text: `by ${sign.kind} ${JSON.stringify(sign.name.replace(/\s+/g, ' ').trim().slice(0, 60))}; only ${power.allowedIn.join(', ')} may`,
      })),
  );
}

function shows(power: Power, { kind, name }: Sign): boolean {
  switch (kind) {
    case 'text':
      return power.text?.test(name) ?? false;
    case 'module':
      return (power.modules ?? []).some((module) =>
        module.endsWith('/*') ? name.startsWith(module.slice(0, -1)) : name === module || name.startsWith(`${module}/`),
      );
    case 'global':
      return power.globals?.includes(name) ?? false;
    case 'call':
      return power.calls?.includes(name) ?? false;
    case 'tag':
      return power.tags?.includes(name) ?? false;
  }
}

/** What the service imports has to be installed with it. */
function checkPackages(root: string, sources: ReadonlyMap<string, SourceFile>): Problem[] {
  const listed = new Set(Object.keys(JSON.parse(readFileSync(`${root}/package.json`, 'utf8')).dependencies ?? {}));
  return [...sources]
    .filter(([path]) => isWithin(path, 'src'))
    .flatMap(([path, source]) =>
      source.imports.flatMap(({ specifier, line }) => {
        if (specifier.startsWith('.') || specifier.startsWith('node:')) return [];
        const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
        if (builtinModules.includes(name))
          return [{ rule: 'packages', path, line, text: `imports ${name} without node:` }];
        if (listed.has(name)) return [];
        return [{ rule: 'packages', path, line, text: `imports ${name}, which is not among the dependencies` }];
      }),
    );
}

function checkCycles(sources: ReadonlyMap<string, SourceFile>): Problem[] {
  const edges = new Map(
    [...sources].map(([path, source]) => [
      path,
      source.imports
        .filter(({ specifier }) => specifier.startsWith('.'))
        .map(({ specifier }) => posix.join(dirname(path), specifier)),
    ]),
  );
  return findCycles(edges).map((cycle) => ({
    rule: 'cycles',
    path: cycle[0]!,
    text: `→ ${cycle.slice(1).join(' → ')}`,
  }));
}

function checkName(path: string): Problem[] {
  const name = basename(path).replace(/\.[a-z]+$/, '');
  const problems: Problem[] = [];
  if (isWithin(path, 'test') && path.includes('__snapshots__')) return problems;
  if (!KEBAB_CASE.test(name)) problems.push({ rule: 'names', path, text: 'is not in kebab-case' });
  if (EMPTY_NAMES.has(name.split('.')[0]!))
    problems.push({ rule: 'names', path, text: 'says nothing of what is in it' });
  return problems;
}

function checkFolderSizes(paths: readonly string[]): Problem[] {
  const counts = new Map<string, number>();
  // A component and its stylesheet are one thing to read.
  const counted = paths.filter((path) => !path.endsWith('.module.css'));
  for (const path of counted) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > MAX_FILES_IN_FOLDER)
    .map(([path, count]) => ({
      rule: 'folder size',
      path,
      text: `holds ${count} files; ${MAX_FILES_IN_FOLDER} are the most a reader takes in`,
    }));
}

function applyExceptions(problems: readonly Problem[], exceptions: readonly Exception[]): Problem[] {
  const covers = (exception: Exception) => (problem: Problem) =>
    exception.rule === problem.rule && isWithin(problem.path, exception.path);
  return [
    ...problems.filter((problem) => !exceptions.some((exception) => covers(exception)(problem))),
    ...exceptions
      .filter((exception) => !problems.some(covers(exception)))
      .map(({ rule, path }) => ({ rule: 'exceptions', path, text: `needs no exception to "${rule}" any more` })),
  ];
}
