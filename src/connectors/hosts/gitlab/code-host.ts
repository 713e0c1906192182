// Groups and projects of GitLab. A nested group is an organization of its own, named by its whole path; so
// is the person's own namespace, and so is a group or person of whom a single project is shared with the person.
import { AccessLevel } from '@gitbeaker/core';
import { type CodeHost, HostError, type HostOrganization, type HostRepo } from '../../../domain/repos/code-host.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { type Connector, type ConnectorParts, MOST_PAGES, PAGE_SIZE } from '../connector.ts';
import { type GitlabProject, gitlabGroups, gitlabProjects, gitlabToken, gitlabUser } from './answers.ts';
import { createGitlabClient } from './client.ts';

interface Page {
  readonly data: unknown;
  readonly paginationInfo: { readonly next: number | null };
}

export const gitlab: Connector = {
  defaultAddress: 'https://gitlab.com',
  connect,
  cloneCredentials: ({ token }) => ({ username: 'oauth2', password: token }),
};

async function* pages(ask: (page: number) => Promise<Page>) {
  for (let page: number | null = 1, count = 0; page !== null && count < MOST_PAGES; count += 1) {
    const answer: Page = await ask(page);
    yield answer.data;
    page = answer.paginationInfo.next;
  }
}

function connect(parts: ConnectorParts): CodeHost {
  const { provider } = parts.account;
  /** Projects of others that the token's owner is a member of, by the path of their namespace. */
  const shared = new Map<string, GitlabProject[]>();
  return {
    async whoAmI(signal) {
      const { users } = createGitlabClient(parts, signal);
      const user = readAnswer(provider, gitlabUser, await users.showCurrentUser());
      const token_expires_at = await findExpiry(parts, signal);
      return { user_name: user.username, external_id: String(user.id), token_expires_at };
    },

    async *listOrganizations(user, signal) {
      const known = new Set([user.user_name.toLowerCase()]);
      yield [{ slug: user.user_name, name: user.user_name, external_id: user.external_id, is_personal: true }];
      const { groups, projects } = createGitlabClient(parts, signal);
      // Without a least role GitLab lists every public group.
      const ask = (page: number): Promise<Page> =>
        groups.all({
          minAccessLevel: AccessLevel.GUEST,
          pagination: 'offset',
          perPage: PAGE_SIZE,
          page,
          showExpanded: true,
        });
      for await (const data of pages(ask)) {
        const found = readAnswer(provider, gitlabGroups, data);
        for (const { full_path } of found) known.add(full_path.toLowerCase());
        yield found.map(groupToRecord);
      }
      shared.clear();
      const owners: HostOrganization[] = [];
      const askShared = (page: number): Promise<Page> =>
        projects.all({ membership: true, pagination: 'offset', perPage: PAGE_SIZE, page, showExpanded: true });
      for await (const data of pages(askShared)) {
        for (const project of readAnswer(provider, gitlabProjects, data)) {
          const { namespace } = project;
          if (namespace === undefined || known.has(namespace.full_path.toLowerCase())) continue;
          const list = shared.get(namespace.full_path);
          if (list === undefined) owners.push(groupToRecord(namespace));
          shared.set(namespace.full_path, [...(list ?? []), project]);
        }
      }
      if (owners.length > 0) yield owners;
    },

    async *listRepos(organization, signal) {
      const own = shared.get(organization.slug);
      if (own !== undefined) {
        yield own.map(projectToRecord);
        return;
      }
      const { groups, users } = createGitlabClient(parts, signal);
      const id = Number(organization.external_id);
      const ask = (page: number): Promise<Page> =>
        organization.is_personal
          ? users.allProjects(id, { pagination: 'offset', perPage: PAGE_SIZE, page, showExpanded: true })
          : groups.allProjects(id, { pagination: 'offset', perPage: PAGE_SIZE, page, showExpanded: true });
      // A group's list has projects of others that are shared with it too: they are listed where they belong.
      const isOwn = ({ namespace }: GitlabProject): boolean =>
        namespace === undefined || namespace.full_path.toLowerCase() === organization.slug.toLowerCase();
      for await (const data of pages(ask)) {
        yield readAnswer(provider, gitlabProjects, data).filter(isOwn).map(projectToRecord);
      }
    },
  };
}

/** Null where the token does not end, or is of a kind that cannot look at itself. */
async function findExpiry(parts: ConnectorParts, signal: AbortSignal): Promise<Date | null> {
  try {
    const { tokens } = createGitlabClient(parts, signal);
    const { expires_at } = readAnswer(parts.account.provider, gitlabToken, await tokens.show());
    return expires_at == null ? null : new Date(`${expires_at}T00:00:00Z`);
  } catch (error) {
    if (error instanceof HostError && error.status !== null && error.status < 500) return null;
    throw error;
  }
}

const groupToRecord = ({ id, name, full_path }: { id: number; name: string; full_path: string }): HostOrganization => ({
  slug: full_path,
  name,
  external_id: String(id),
  is_personal: false,
});

const projectToRecord = (project: GitlabProject): HostRepo => ({
  slug: project.path,
  external_id: String(project.id),
  clone_url: project.http_url_to_repo,
  default_branch: project.default_branch ?? null,
  // Absent when the token may see little of the project, which is then not public.
  is_private: project.visibility !== 'public',
});
