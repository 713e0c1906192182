// What kept PostgreSQL from starting, or its folder from being used, for the person who has to mend it.

const DISK_FULL = /^.*No space left on device.*$/m;

/** Its whole output, unless the disk is full: then that is all there is to know. */
export function explainFailure(what: string, folder: { readonly path: string }, output: string): Error {
  const message = DISK_FULL.exec(output)?.[0].trim();
  if (message === undefined) return new Error(`${what}:\n${output.trim()}`);
  return new Error(
    `${what}: the disk that holds ${folder.path} is full; make room there (PostgreSQL says: ${message})`,
  );
}

/** Whose the folder is, and who wants to use it; undefined where that is not known or there are no user ids. */
interface FolderUsers {
  readonly owner: number | undefined;
  readonly self: { readonly uid: number; readonly name: string } | undefined;
}

const OR_ANOTHER = 'or choose another folder with --data';
const NOT_A_FOLDER = 'something in its place or above it is not a folder; move that away';

/** By the system's code. None of these has to do with whose the folder is. */
const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its file system is mounted read-only; mount it for writing',
  ENOSPC: 'the disk that holds it is full; make room there',
  EDQUOT: 'the quota of the disk that holds it is used up; make room there',
  ENOTDIR: NOT_A_FOLDER,
  EEXIST: NOT_A_FOLDER,
};

/** The cause keeps the system's own words. */
export function explainUnusableFolder(path: string, cause: unknown, users: FolderUsers): Error {
  const who = users.self ? `user "${users.self.name}"` : 'this user';
  return new Error(`The database folder ${path} cannot be used by ${who}: ${reasonOf(cause, users)}.`, { cause });
}

function reasonOf(cause: unknown, users: FolderUsers): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  // Without a code it is a reason of our own, which says what to do.
  if (code === undefined) return message ?? String(cause);
  const isRefusal = code === 'EACCES' || code === 'EPERM';
  const reason = isRefusal ? whyRefused(users) : (REASONS[code] ?? `the system reports ${code}; mend that`);
  return `${reason}, ${OR_ANOTHER}`;
}

function whyRefused({ owner, self }: FolderUsers): string {
  if (owner === undefined || self === undefined || owner === self.uid) {
    return 'its mode, or that of a folder above it, forbids it; change that';
  }
  // As on network file systems.
  if (self.uid === 0) return `it belongs to user id ${owner} and root is refused too; start Strata as that user`;
  return `it belongs to user id ${owner}; start Strata as that user (or as root)`;
}
