// Where hosts send their webhooks. Bodies are kept as they came, because signatures are over their bytes; the answer says
// nothing but whether the delivery was accepted.
import type { FastifyInstance } from 'fastify';
import type { Operations } from '../../operations/index.ts';

/** What hosts send at most. */
const BODY_LIMIT_BYTES = 26_214_400;

export function addHooks(server: FastifyInstance, { hooks }: Operations): void {
  // In a scope of its own: the parsers of the API would take the bytes apart.
  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
      async (_: unknown, body: Buffer) => body,
    );
    scope.post<{ Params: { provider: string; part: string } }>(
      '/hooks/:provider/:part',
      { bodyLimit: BODY_LIMIT_BYTES },
      async (request, reply) => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
        );
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        await hooks.receive(request.params.provider, request.params.part, { headers, body });
        return reply.code(202).send({ accepted: true });
      },
    );
  });
}
