// Successful builds in the order in which they ended, and teams of a project.
import { needTime, readTime } from '../../../domain/collect/read-time.ts';
import { OVERLAP_MINUTES, type Stream } from '../../../domain/collect/stream.ts';
import type { CollectedRun } from '../../../domain/delivery/host-delivery.ts';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { HostTeam } from '../../../domain/teams/host-team.ts';
import { keysetPage } from '../../collect/keyset.ts';
import { pathPart, readAnswer } from '../../http/read-answer.ts';
import { identityToAccount } from './accounts.ts';
import { builds as buildList, members as memberList, teams as teamList } from './collect-answers.ts';
import type { AzureCollectClient } from './collect-client.ts';

type Build = ReturnType<typeof buildList.parse>['value'][number];

export const builds: Stream<AzureCollectClient> = {
  name: 'builds',
  scope: 'repo',
  order: 'oldest_first',
  resource: 'api',
  priority: 4,
  everyMinutes: 30,
  overlapMinutes: OVERLAP_MINUTES,
  pageSize: { first: 100, most: 100 },
  right: { needs: 'Build (read)', brings: 'releases by successful pipelines' },
  async page({ client, scope, cursor, since, pageSize, signal }) {
    const project = await client.projectOf(scope.external_id, signal);
    const ask = async (beyond: string | null, continuationToken: string | null) => {
      const { body, headers } = await client.getWithRight(
        `/${pathPart(project)}/_apis/build/builds`,
        {
          repositoryId: scope.external_id,
          repositoryType: 'TfsGit',
          resultFilter: 'succeeded',
          queryOrder: 'finishTimeAscending',
          minTime: beyond,
          $top: pageSize,
          continuationToken,
        },
        signal,
      );
      const items = readAnswer(client.provider, buildList, body).value;
      // Its tokens were broken in some versions: they serve only where a whole page has one time.
      const link = items.length < pageSize ? null : (headers.get('x-ms-continuationtoken') ?? '');
      return { items, link };
    };
    const { items, page } = await keysetPage<Build>(
      { cursor, since },
      {
        order: 'oldest_first',
        timeOf: ({ finishTime }) => finishTime,
        ask: (beyond) => ask(beyond, null),
        follow(link) {
          if (link === '') throw new HostError('unexpected_answer', 'Azure DevOps does not lead on from a full page');
          return ask(typeof cursor?.beyond === 'string' ? cursor.beyond : null, link);
        },
      },
    );
    const runs = items.flatMap((build): CollectedRun[] =>
      build.sourceVersion == null
        ? []
        : [
            {
              external_id: String(build.id),
              name: build.definition?.name ?? '',
              path: null,
              branch: build.sourceBranch?.replace(/^refs\/heads\//, '') ?? null,
              sha: build.sourceVersion,
              event: build.reason ?? null,
              state: 'success',
              attempt: 1,
              created_at: needTime(build.queueTime, 'a build'),
              started_at: readTime(build.startTime),
              finished_at: readTime(build.finishTime),
              actor: identityToAccount(build.requestedFor),
              url: build._links?.web?.href ?? null,
            },
          ],
    );
    return { ...page, collected: { runs } };
  },
};

const MEMBERS_AT_ONCE = 100;

export const teams: Stream<AzureCollectClient> = {
  name: 'teams',
  scope: 'organization',
  order: 'census',
  resource: 'api',
  priority: 5,
  everyMinutes: 24 * 60,
  overlapMinutes: 0,
  pageSize: { first: 50, most: 50 },
  right: { needs: 'Project and Team (read)', brings: 'teams' },
  async page({ client, scope, cursor, pageSize, signal }) {
    const skip = typeof cursor?.skip === 'number' ? cursor.skip : 0;
    const place = `/_apis/projects/${pathPart(scope.external_id)}/teams`;
    const { body } = await client.getWithRight(place, { $top: pageSize, $skip: skip }, signal);
    const found = readAnswer(client.provider, teamList, body).value;
    const list: HostTeam[] = [];
    for (const { id, name } of found) {
      const members: ReturnType<typeof memberList.parse>['value'] = [];
      for (let isFull = true; isFull; ) {
        const values = { $top: MEMBERS_AT_ONCE, $skip: members.length };
        const answer = await client.getWithRight(`${place}/${pathPart(id)}/members`, values, signal);
        const some = readAnswer(client.provider, memberList, answer.body).value;
        members.push(...some);
        isFull = some.length >= MEMBERS_AT_ONCE;
      }
      list.push({
        external_id: id,
        parent_external_id: null,
        slug: name,
        name,
        members: members.flatMap(({ identity, isTeamAdmin }) => {
          const account = identityToAccount(identity);
          const role = isTeamAdmin === true ? ('maintainer' as const) : ('member' as const);
          return account === null || account.kind === 'team' ? [] : [{ account, role, is_inherited: false }];
        }),
      });
    }
    const isEnd = found.length < pageSize;
    return {
      collected: { teams: { list, is_complete: isEnd } },
      next: isEnd ? null : { skip: skip + found.length },
      itemCount: found.length,
      oldest: null,
      newest: null,
    };
  },
};
