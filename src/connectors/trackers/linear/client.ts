// A client for Linear: one address, queries only. A refusal may come with the status 200 or 400 and a code in the body.
import { z } from 'zod';
import { HostError } from '../../../domain/repos/code-host.ts';
import type { CollectorParts } from '../../collect/collector.ts';
import { failureOf } from '../../http/answer-failure.ts';
import { createJsonClient } from '../../http/json-client.ts';
import { readAnswer } from '../../http/read-answer.ts';

export interface LinearClient {
  query<T>(
    text: string,
    variables: Readonly<Record<string, unknown>>,
    shape: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T>;
  now(): Date;
}

const answer = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(z.object({ message: z.string(), extensions: z.object({ code: z.string().nullish() }).loose().nullish() }))
    .nullish(),
});

/** By the code of an error, the status that other products answer. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  AUTHENTICATION_ERROR: 401,
  FORBIDDEN: 403,
  RATELIMITED: 429,
};

export function createLinearClient(
  account: { readonly site_url: string; readonly token: string },
  { fetch, now }: CollectorParts,
): LinearClient {
  /** A refusal with the status 400 says why in its body, and is read like one with 200. */
  const open: CollectorParts['fetch'] = async (address, init) => {
    const answered = await fetch(address, init);
    if (answered.status !== 400) return answered;
    return new Response(answered.body, { status: 200, headers: answered.headers });
  };
  const json = createJsonClient(
    { account: { provider: 'linear' }, fetch: open, now },
    { base: account.site_url.replace(/\/+$/, ''), headers: { authorization: account.token } },
  );
  return {
    now,
    async query(text, variables, shape, signal) {
      const { body, headers } = await json.post('/graphql', { query: text, variables }, signal);
      const { data, errors } = readAnswer('linear', answer, body);
      const [error] = errors ?? [];
      if (error !== undefined) {
        const status = STATUS_OF_CODE[error.extensions?.code ?? ''];
        if (status !== undefined) throw failureOf('linear', { status, headers }, now());
        throw new HostError('unexpected_answer', 'Linear refuses the query', { status: 400 });
      }
      return readAnswer('linear', shape, data);
    },
  };
}
