// The OTLP receiver: POST /api/v1/otlp/v1/{metrics,logs,traces}, protobuf or JSON, plain or gzip. It answers in the type
// in which it was asked; single bad points are counted in a partial success, and every fault of ours is a 503, the only
// answer after which clients send again.
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, StrataError } from '../../domain/errors.ts';
import { BASE_PATH } from '../../endpoints/endpoint.ts';
import { RateLimiter, type RateState } from '../../kit/door/rate-limiter.ts';
import { TELEMETRY_SIGNALS, type TelemetrySignal } from '../../operations/ai/telemetry.ts';
import type { Operations } from '../../operations/index.ts';
import { CLIENT_GONE_STATUS, hasArrived, isClientGone } from '../deadline.ts';
import { bearerSecret } from '../door/guard.ts';
import { explainError, UNKNOWN_ACTION } from '../error-answer.ts';
import type { HttpSettings } from '../http-settings.ts';
import { requireUtf8Charset } from '../input/body-text.ts';
import { encodePartialSuccess, encodeStatus, RPC_CODES } from './otlp-answers.ts';

export const OTLP_PATH = `${BASE_PATH}/otlp/`;

const MOST_BYTES = 4 * 1024 * 1024;
const MOST_INFLATED_BYTES = 20 * 1024 * 1024;
/** JSON is parsed at a stretch, during which nobody else is served. */
const MOST_JSON_BYTES = 6 * 1024 * 1024;
const WRONG_TOKENS_PER_MINUTE = 120;
const RETRY_SECONDS = 5;
const PROTOBUF = 'application/x-protobuf';
const JSON_TYPE = 'application/json';

const inflate = promisify(gunzip);

type IngestHolder = NonNullable<Awaited<ReturnType<Operations['ingestTokens']['authenticate']>>>;

export function addOtlp(
  server: FastifyInstance,
  { telemetry, ingestTokens }: Operations,
  settings: HttpSettings,
): void {
  const rows = new RateLimiter(settings.otlp_rows_per_minute);
  const bytes = new RateLimiter(settings.otlp_bytes_per_minute);
  const wrongByAddress = new RateLimiter(WRONG_TOKENS_PER_MINUTE);

  const admit = async (request: FastifyRequest): Promise<IngestHolder> => {
    const nowMs = performance.now();
    const wrong = wrongByAddress.peek(request.ip, nowMs);
    if (wrong.isExceeded) throw tooMany('too many wrong tokens came from this address', wrong);
    const secret = bearerSecret(request.headers.authorization);
    const holder = secret === null ? null : await ingestTokens.authenticate(secret);
    if (holder !== null) return holder;
    wrongByAddress.take(request.ip, nowMs);
    const expected = 'Authorization: Bearer <token of strata token create --ingest>';
    throw new StrataError(
      'unauthorized',
      secret === null
        ? `expected the header ${expected}`
        : `the token is unknown, revoked or expired, or is none that sends telemetry; expected ${expected}`,
    );
  };

  const admitted = new WeakMap<FastifyRequest, IngestHolder>();
  // Before the body: anybody may send one, and only those with a token are held in memory.
  const onRequest = async (request: FastifyRequest): Promise<void> => {
    admitted.set(request, await admit(request));
  };

  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: MOST_BYTES },
      async (_: unknown, body: Buffer) => body,
    );
    scope.setErrorHandler((error, request, reply) => answerFault(error, request, reply));
    for (const signal of TELEMETRY_SIGNALS) {
      scope.post(`${OTLP_PATH}v1/${signal}`, { bodyLimit: MOST_BYTES, onRequest }, async (request, reply) => {
        const holder = admitted.get(request)!;
        const isJson = isJsonRequest(request);
        const body = await readBody(request, isJson ? MOST_JSON_BYTES : MOST_INFLATED_BYTES);
        const key = `token ${holder.token_id}`;
        spend(bytes, key, body.length, 'bytes');
        const read = await telemetry.read(holder, { signal, isJson, body });
        spend(rows, key, read.received, 'rows');
        await read.store();
        return answer(reply, isJson, signal, read.rejected, read.reason);
      });
    }
  });
}

/** A bucket that is used up refuses the request before it counts; the client keeps it and comes again. */
function spend(limiter: RateLimiter, key: string, amount: number, of: string): void {
  const state = limiter.take(key, performance.now(), amount);
  if (state.isExceeded) throw tooMany(`this token may send ${state.limit} ${of} of telemetry per minute`, state);
}

const tooMany = (why: string, { resetSeconds }: RateState): StrataError =>
  new StrataError('rate_limited', `${why}; try again in ${resetSeconds} seconds`, { retryAfterSeconds: resetSeconds });

function isJsonRequest(request: FastifyRequest): boolean {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type === JSON_TYPE) {
    requireUtf8Charset(request.headers['content-type']);
    return true;
  }
  if (type === PROTOBUF || type === 'application/protobuf') return false;
  throw new StrataError(
    'unsupported_media_type',
    `a body of ${type.slice(0, 100) || 'no type'} is not accepted; expected ${PROTOBUF} or ${JSON_TYPE}`,
  );
}

async function readBody(request: FastifyRequest, mostBytes: number): Promise<Buffer> {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const encoding = (request.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity' || encoding === '') return body;
  if (encoding !== 'gzip') {
    throw new StrataError(
      'unsupported_media_type',
      `the encoding ${encoding.slice(0, 50)} is not accepted; expected gzip or none`,
    );
  }
  try {
    return await inflate(body, { maxOutputLength: mostBytes });
  } catch (error) {
    const isTooLarge =
      error instanceof RangeError ||
      (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE');
    throw isTooLarge
      ? new StrataError('payload_too_large', `the body is larger than ${mostBytes} bytes when it is unpacked`)
      : new StrataError('invalid_parameter', 'the body is not gzip');
  }
}

function answer(
  reply: FastifyReply,
  isJson: boolean,
  signal: TelemetrySignal,
  rejected: number,
  reason: string,
): FastifyReply {
  if (!isJson) return reply.type(PROTOBUF).send(encodePartialSuccess(rejected, reason));
  const name = signal === 'logs' ? 'rejectedLogRecords' : 'rejectedDataPoints';
  const body = rejected === 0 ? {} : { partialSuccess: { [name]: String(rejected), errorMessage: reason } };
  return reply.type(JSON_TYPE).send(JSON.stringify(body));
}

/** As google.rpc.Status. What is no fault of the sender is worth another try. */
function answerFault(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isClientGone(error, request)) return void reply.code(CLIENT_GONE_STATUS).send();
  const explained = explainError(error, { action: UNKNOWN_ACTION, trace: request.id });
  const isOurs = explained.status >= 500;
  if (isOurs) request.log.error({ err: error }, 'telemetry could not be taken');
  const code = isOurs ? 'unavailable' : explained.code;
  const retryAfter = isOurs ? RETRY_SECONDS : explained.retryAfterSeconds;
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  if (!hasArrived(request)) reply.header('connection', 'close');
  const message = explained.body.response_detail;
  const isJson = (request.headers['content-type'] ?? '').toLowerCase().startsWith(JSON_TYPE);
  reply
    .code(ERRORS[code].status)
    .type(isJson ? JSON_TYPE : PROTOBUF)
    .send(
      isJson
        ? JSON.stringify({ code: RPC_CODES[code] ?? RPC_CODES.unavailable, message })
        : encodeStatus(RPC_CODES[code] ?? 14, message),
    );
}
