// Teams of an organization with their members, all of them each time.
import type { Stream } from '../../../domain/collect/stream.ts';
import type { HostTeam, HostTeamMember } from '../../../domain/teams/host-team.ts';
import { nextLink } from '../../http/next-link.ts';
import { readAnswer } from '../../http/read-answer.ts';
import { restMembers, restTeams } from './collect-answers.ts';
import type { GithubCollectClient } from './collect-client.ts';

const MEMBERS_AT_ONCE = 100;
const ROLES = ['maintainer', 'member'] as const;

export const teams: Stream<GithubCollectClient> = {
  name: 'teams',
  scope: 'organization',
  order: 'census',
  resource: 'core',
  priority: 5,
  everyMinutes: 24 * 60,
  overlapMinutes: 0,
  pageSize: { first: 20, most: 20 },
  right: { needs: 'read:org, or Members (read) of a fine-grained token', brings: 'teams' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const answer =
      typeof cursor?.link === 'string'
        ? await client.rest.follow(cursor.link, signal)
        : await client.rest.get('/orgs/{org}/teams', { org: scope.path, per_page: pageSize }, signal);
    const found = readAnswer('hostC', restTeams, answer.body);
    const list: HostTeam[] = [];
    for (const team of found) {
      list.push({
        external_id: String(team.id),
        parent_external_id: team.parent == null ? null : String(team.parent.id),
        slug: team.slug,
        name: team.name,
        members: await listMembers(client, scope.path, team.slug, signal),
      });
    }
    const link = nextLink(answer.headers);
    return {
      collected: { teams: { list, is_complete: link === null } },
      next: link === null ? null : { link },
      itemCount: found.length,
      oldest: null,
      newest: null,
    };
  },
};

async function listMembers(
  client: GithubCollectClient,
  org: string,
  slug: string,
  signal: AbortSignal,
): Promise<HostTeamMember[]> {
  const members: HostTeamMember[] = [];
  for (const role of ROLES) {
    const values = { org, team_slug: slug, role, per_page: MEMBERS_AT_ONCE };
    let answer = await client.rest.get('/orgs/{org}/teams/{team_slug}/members', values, signal);
    for (;;) {
      for (const user of readAnswer('hostC', restMembers, answer.body)) {
        const account = client.accounts.user(user);
        if (account !== null) members.push({ account, role, is_inherited: false });
      }
      const next = nextLink(answer.headers);
      if (next === null) break;
      answer = await client.rest.follow(next, signal);
    }
  }
  return members;
}
