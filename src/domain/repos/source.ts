// Where repositories come from: what every code host, and the operator's own folders and addresses,
// must be able to say. compose.ts hands the sources to operations and jobs.

export interface RepoPath {
  readonly organization: string;
  readonly repo: string;
}

/** A repo that is looked for, by its path or as the one that is stored. */
export interface WantedRepo extends RepoPath {
  /** A host may call it otherwise by now, and another source may have one of its name. */
  readonly stored?: { readonly id: number; readonly sourceKind: string } | undefined;
}

export const formatRepoPath = ({ organization, repo }: RepoPath): string => `${organization}/${repo}`;

export interface CloneCredentials {
  readonly username: string;
  readonly password: string;
}

/** Where a repository is cloned from. `shown` is the address without secrets, for messages. */
export type CloneAddress =
  | { readonly kind: 'folder'; readonly path: string; readonly shown: string }
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly shown: string;
      readonly credentials: CloneCredentials | null;
      /** `host:port:ip`: git must connect to the address that was checked, whatever the name resolves to later. */
      readonly pinnedHost: string | null;
    };

export interface SourceRepo {
  readonly path: RepoPath;
  readonly source: string;
  /** Connections that can read it; more of them share the host's quota. */
  readonly connectionCount: number;
  /** Commits of the past year as the host counts them, or null where it cannot say. */
  readonly pastYearCommitCount: number | null;
}

export interface RepoSource {
  /** Stored with the repo, so that a repo stays with its source. */
  readonly kind: string;
  listOrganizations(entityId: number): Promise<readonly { readonly slug: string; readonly name: string }[]>;
  listRepos(entityId: number): Promise<readonly RepoPath[]>;
  /** Null when this source does not have it. Throws RepoAccessError when it cannot tell. */
  findRepo(entityId: number, path: WantedRepo): Promise<SourceRepo | null>;
  /** Asked for anew at every fetch: credentials may have changed. */
  cloneAddress(entityId: number, path: WantedRepo): Promise<CloneAddress>;
}

export type RepoAccessFailure =
  | 'no_access'
  | 'not_found'
  | 'no_default_branch'
  | 'empty'
  | 'quota'
  | 'too_large'
  | 'unsupported'
  | 'refused_address'
  | 'revoked'
  | 'transient';

/** Why a repo cannot be read. `message` is for the person who asked: no secrets, and what to do about it. */
export class RepoAccessError extends Error {
  readonly failure: RepoAccessFailure;

  constructor(failure: RepoAccessFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'RepoAccessError';
    this.failure = failure;
  }
}

/** The first of the sources that has the repo, with what it said. One that is stored stays with its source. */
export async function findInSources(
  sources: readonly RepoSource[],
  entityId: number,
  wanted: WantedRepo,
): Promise<{ source: RepoSource; repo: SourceRepo } | null> {
  const isItsOwn = ({ kind }: RepoSource): boolean => kind === wanted.stored?.sourceKind;
  for (const source of [...sources.filter(isItsOwn), ...sources.filter((each) => !isItsOwn(each))]) {
    const repo = await source.findRepo(entityId, wanted);
    if (repo !== null) return { source, repo };
  }
  return null;
}
