// The endpoint of reports over HTTP on one connection, as benches ask it. Nothing limits the rate.
import { Agent, get } from 'node:http';
import { createServer } from '../../src/api/server.ts';
import { ENDPOINTS } from '../../src/endpoints/index.ts';
import { createOperations, OPERATOR } from '../../src/operations/index.ts';
import type { Store } from '../../src/storage/database/handle.ts';
import { DEFAULT_HTTP_SETTINGS } from '../../test/support/default-http-settings.ts';
import { createQuietLog } from '../api/compare-with-bare.ts';

export interface ReportEndpoint {
  /** Throws unless the answer is 200; gives its bytes. */
  ask(entity: string, query: string): Promise<string>;
  close(): Promise<void>;
}

export async function openReportEndpoint(
  store: Store,
  entities: readonly string[],
  now: () => Date,
): Promise<ReportEndpoint> {
  const log = createQuietLog();
  const operations = createOperations({ store, log, now });
  const tokens = new Map<string, string>();
  for (const entity of entities) {
    const user_email = `bench-${process.pid}@${entity}.example`;
    await operations.users.create(OPERATOR, { email: user_email, entity, role: 'admin' });
    tokens.set(entity, (await operations.tokens.create(OPERATOR, { entity, user_email })).token);
  }
  const settings = { ...DEFAULT_HTTP_SETTINGS, rate_limit_per_minute: 10_000_000 };
  const server = await createServer({ endpoints: ENDPOINTS, operations, settings, log, notReady: async () => [] });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    async ask(entity, query) {
      const headers = { authorization: `Bearer ${tokens.get(entity)}` };
      return new Promise<string>((resolve, reject) => {
        get(`${address}/api/v1/reports?resource_path=${entity}&${query}`, { agent, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () =>
            response.statusCode === 200 ? resolve(text) : reject(new Error(`${query}: ${text}`)),
          );
        }).on('error', reject);
      });
    },
    async close() {
      agent.destroy();
      await server.close();
      await operations.close();
    },
  };
}
