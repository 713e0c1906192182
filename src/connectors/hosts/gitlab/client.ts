// GitLab, gitlab.com or self-managed, by gitbeaker with our own transport.
import { Groups, PersonalAccessTokens, Projects, Users } from '@gitbeaker/core';
import { createRequesterFn } from '@gitbeaker/requester-utils';
import { z } from 'zod';
import { failureOf } from '../../http/answer-failure.ts';
import { type ConnectorParts, USER_AGENT } from '../connector.ts';

export interface GitlabClient {
  readonly groups: Groups;
  readonly projects: Projects;
  readonly tokens: PersonalAccessTokens;
  readonly users: Users;
}

/** What gitbeaker hands to a transport; its own types leave them open. */
const requestOptions = z.object({
  prefixUrl: z.string(),
  searchParams: z.string().default(''),
  headers: z.record(z.string(), z.string()),
});

/** One client per signal: gitbeaker has no way to hand one on with a question. */
export function createGitlabClient(
  { account, address, fetch, now }: ConnectorParts,
  signal: AbortSignal,
): GitlabClient {
  const requesterFn = createRequesterFn(
    async (_resource, options) => options,
    async (endpoint, options) => {
      const { prefixUrl, searchParams, headers } = requestOptions.parse(options);
      const url = new URL(endpoint, `${prefixUrl.replace(/\/+$/, '')}/`);
      url.search = searchParams;
      const answer = await fetch(url, { headers: { ...headers, 'user-agent': USER_AGENT }, signal });
      if (answer.status !== 200) {
        throw failureOf(account.provider, { status: answer.status, headers: answer.headers }, now());
      }
      let body: Record<string, unknown>;
      try {
        // A list or an object; what it holds is checked by the caller.
        body = (await answer.json()) as Record<string, unknown>;
      } catch {
        throw failureOf(account.provider, { status: 200, headers: answer.headers }, now());
      }
      return { body, headers: Object.fromEntries(answer.headers.entries()), status: answer.status };
    },
  );
  const options = { host: address, token: account.token, requesterFn };
  return {
    groups: new Groups(options),
    projects: new Projects(options),
    tokens: new PersonalAccessTokens(options),
    users: new Users(options),
  };
}
