// Groups are teams: the group that holds the repos, and those below it, each with its direct members.
import type { Stream } from '../../../domain/collect/stream.ts';
import type { HostTeam } from '../../../domain/teams/host-team.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { groups, members, oneGroup } from './collect-answers.ts';
import type { GitlabCollectClient } from './collect-client.ts';

/** GitLab's number for the role Maintainer; owners are above it. */
const MAINTAINER = 40;

export const teams: Stream<GitlabCollectClient> = {
  name: 'teams',
  scope: 'organization',
  order: 'census',
  resource: 'api',
  priority: 5,
  everyMinutes: 24 * 60,
  overlapMinutes: 0,
  pageSize: { first: 20, most: 20 },
  right: { needs: 'read_api, and membership of the group', brings: 'groups as teams' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const isFirst = typeof cursor?.link !== 'string';
    const top = isFirst ? await findGroup(client, scope, signal) : null;
    // The namespace of a person has no members; its number may be that of a group elsewhere.
    if (isFirst && top === null) return { collected: {}, next: null, itemCount: 0, oldest: null, newest: null };
    const { items, link } = isFirst
      ? await client.page(`/groups/${scope.external_id}/descendant_groups`, { per_page: pageSize }, signal)
      : await client.follow(String(cursor?.link), signal);
    const found = [...(top === null ? [] : [top]), ...readAnswer('hostD', groups, items)];
    const list: HostTeam[] = [];
    for (const group of found) {
      const people = readAnswer('hostD', members, await client.all(`/groups/${group.id}/members`, signal));
      const toTeam = (): HostTeam => ({
        external_id: String(group.id),
        parent_external_id: group.parent_id == null ? null : String(group.parent_id),
        slug: group.full_path,
        name: group.name,
        members: people.flatMap((person) => {
          const account = client.accounts.user(person);
          const role = person.access_level >= MAINTAINER ? ('maintainer' as const) : ('member' as const);
          return account === null ? [] : [{ account, role, is_inherited: false }];
        }),
      });
      list.push(await client.withFlags(toTeam, signal));
    }
    return {
      collected: { teams: { list, is_complete: link === null } },
      next: link === null ? null : { link },
      itemCount: found.length,
      oldest: null,
      newest: null,
    };
  },
};

async function findGroup(
  client: GitlabCollectClient,
  scope: { readonly external_id: string; readonly path: string },
  signal: AbortSignal,
) {
  const body = await client.oneWhereThere(`/groups/${scope.external_id}`, `group ${scope.external_id}`, signal);
  if (body === null) return null;
  const group = readAnswer('hostD', oneGroup, body);
  return group.full_path.toLowerCase() === scope.path.toLowerCase() ? group : null;
}
