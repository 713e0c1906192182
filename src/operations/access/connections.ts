// Connections to code hosts, for those who look after them.
import { StrataError } from '../../domain/errors.ts';
import { GIT_PROVIDER_NAMES, GIT_PROVIDERS, type HostFailure } from '../../domain/repos/code-host.ts';
import { formatRepoPath } from '../../domain/repos/source.ts';
import { type LockedReason, listLockedTokens } from '../../storage/collect/locked-tokens.ts';
import { listImports } from '../../storage/repos/imports.ts';
import { deleteConnection, type ListedConnection, listConnections } from '../../storage/repos/list-connections.ts';
import type { OperationParts } from '../operation-parts.ts';
import type { Grant } from './grant.ts';

export interface ConnectionRecord extends Omit<ListedConnection, 'repos_cached_at' | 'verified_at' | 'organizations'> {
  readonly organizations: string[];
  readonly git_provider_title: string;
  readonly state_em: 'ok' | 'listing' | 'failed';
  readonly error_detail: string | null;
  readonly last_listed_at: string | null;
}

export interface ImportableRepo {
  readonly repo_path: string;
  /** Kind of the source that has it. */
  readonly source: string;
  readonly is_imported: boolean;
}

export interface ConnectionOperations {
  list(grant: Grant<'admin'>): Promise<ConnectionRecord[]>;
  remove(grant: Grant<'admin'>, id: number): Promise<void>;
  /** What POST /imports would take. */
  importable(grant: Grant<'manager'>): Promise<ImportableRepo[]>;
}

const FAILURES: Readonly<Record<HostFailure | LockedReason, string>> = {
  rejected: 'the host refuses the token; store another one',
  insufficient_scope: 'the token lacks a right that is needed; store one that has it',
  rate_limited: 'the host takes no more requests for now; it is asked again later',
  unreachable: 'the host cannot be reached; it is asked again later',
  timeout: 'the host did not answer in time; it is asked again later',
  refused_address: 'the address lies where this service may not connect to',
  unexpected_answer: 'what answers at the address does not speak the API of this product',
  sealed_with_another_key:
    'the token was sealed with another key; bring secret.key back (or set secret_key) and start the service anew, or store the token again',
  no_secret_key:
    'there is no key here to open the token with; bring secret.key back (or set secret_key) and start the service anew, or store the token again',
};

const describeFailure = (failure: string): string =>
  Object.entries(FAILURES).find(([known]) => known === failure)?.[1] ?? failure;

const productOf = (provider: string): string => {
  const known = GIT_PROVIDER_NAMES.find((name) => name === provider);
  return known === undefined ? provider : GIT_PROVIDERS[known].product;
};

export function createConnectionOperations({
  store: { db },
  sources = [],
  secrets,
}: OperationParts): ConnectionOperations {
  return {
    async list({ entity }) {
      const rows = await listConnections(db, entity.id);
      const tokens = secrets === undefined ? [] : await listLockedTokens(db, secrets, entity.id);
      const locked = new Map(tokens.flatMap(({ source, id, why }) => (source === 'host' ? [[id, why] as const] : [])));
      return rows.map(({ repos_cached_at, verified_at: _, ...row }) => {
        const error_em = locked.get(row.id) ?? row.error_em;
        return {
          ...row,
          organizations: [...row.organizations],
          git_provider_title: productOf(row.git_provider_em),
          state_em: error_em !== null ? 'failed' : repos_cached_at === null ? 'listing' : 'ok',
          error_em,
          error_detail: error_em === null ? null : describeFailure(error_em),
          last_listed_at: repos_cached_at,
        };
      });
    },

    async remove({ entity }, id) {
      if (await deleteConnection(db, entity.id, id)) return;
      throw new StrataError('not_found', `${entity.slug} has no connection ${id}`);
    },

    async importable({ entity }) {
      const imports = (await listImports(db, entity.id)).filter(
        ({ status }) => status !== 'offered_pending_acceptance',
      );
      const imported = new Set(
        imports.map(({ organization_slug: organization, repo_slug: repo }) =>
          formatRepoPath({ organization, repo }).toLowerCase(),
        ),
      );
      const byPath = new Map<string, ImportableRepo>();
      for (const source of sources) {
        for (const path of await source.listRepos(entity.id)) {
          const repo_path = formatRepoPath(path);
          const key = repo_path.toLowerCase();
          if (!byPath.has(key)) byPath.set(key, { repo_path, source: source.kind, is_imported: imported.has(key) });
        }
      }
      return [...byPath.values()].sort((a, b) => (a.repo_path < b.repo_path ? -1 : 1));
    },
  };
}
