// A text that anybody may read without a token, kept ready in memory: compressed once, known again by its tag. Many
// readers at once must cost the API next to nothing.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export class PublicText {
  readonly #plain: Buffer;
  readonly #packed: Buffer;
  readonly #tag: string;
  readonly #type: string;

  constructor(text: string, type: string) {
    this.#plain = Buffer.from(text);
    this.#packed = gzipSync(this.#plain);
    this.#tag = `"${createHash('sha256').update(this.#plain).digest('base64url').slice(0, 22)}"`;
    this.#type = type;
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.headers({ 'cache-control': 'no-cache', etag: this.#tag, vary: 'accept-encoding' });
    const known = request.headers['if-none-match'];
    if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === this.#tag)) return reply.code(304).send();
    reply.header('content-type', this.#type);
    // Readers that take no gzip are few; for them the plain text is there as well.
    if (!/\bgzip\b/i.test(request.headers['accept-encoding'] ?? '')) {
      return reply.header('content-encoding', 'identity').send(this.#plain);
    }
    return reply.header('content-encoding', 'gzip').send(this.#packed);
  }
}
