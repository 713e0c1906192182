// Where hosts send their webhooks. Bodies are kept as they came, because signatures are over their bytes; the answer says
// nothing but whether the delivery was accepted.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Operations } from '../../operations/index.ts';
import type { TakeDelivery } from '../../operations/repos/hooks.ts';

/** What hosts send at most. */
const BODY_LIMIT_BYTES = 26_214_400;

export const HOOKS_PATH = '/hooks/';

interface HookRoute {
  Params: { provider: string; part: string };
}

export function addHooks(server: FastifyInstance, { hooks }: Operations): void {
  const taken = new WeakMap<FastifyRequest<HookRoute>, TakeDelivery>();
  // In a scope of its own: the parsers of the API would take the bytes apart.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
      async (_: unknown, body: Buffer) => body,
    );
    scope.post<HookRoute>(
      `${HOOKS_PATH}:provider/:part`,
      {
        bodyLimit: BODY_LIMIT_BYTES,
        // Before the body: anybody may send one, and only those for an address that exists are held in memory.
        onRequest: async (request) => {
          const { provider, part } = request.params;
          taken.set(request, await hooks.open(provider, part));
        },
      },
      async (request, reply) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
        );
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await taken.get(request)!({ headers, body });
        return reply.code(202).send({ accepted: true });
      },
    );
  });
}
