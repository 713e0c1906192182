// A text that anybody may read without a token, kept ready in memory: compressed once, known again by its tag. Many
// readers at once must cost the API next to nothing.
import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKnown, tagOf } from '../etag.ts';

export class PublicText {
  readonly #plain: Buffer;
  readonly #packed: Buffer;
  readonly #tag: string;
  readonly #type: string;

  constructor(text: string, type: string) {
    this.#plain = Buffer.from(text);
    this.#packed = gzipSync(this.#plain);
    this.#tag = tagOf(this.#plain);
    this.#type = type;
  }

  send(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.headers({ 'cache-control': 'no-cache', etag: this.#tag, vary: 'accept-encoding' });
    if (isKnown(request.headers['if-none-match'], this.#tag)) return reply.code(304).send();
    reply.header('content-type', this.#type);
    // Readers that take no gzip are few; for them the plain text is there as well.
    if (!/\bgzip\b/i.test(request.headers['accept-encoding'] ?? '')) {
      return reply.header('content-encoding', 'identity').send(this.#plain);
    }
    return reply.header('content-encoding', 'gzip').send(this.#packed);
  }
}
