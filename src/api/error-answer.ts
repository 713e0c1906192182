// Turns whatever was thrown into an answer: a row of the error table, and words that name the parameter
// and the value but never an inner detail of the service.
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode, type FieldErrors, StrataError } from '../domain/errors.ts';

export const UNKNOWN_ACTION = 'action_unknown';

export interface ErrorBody {
  readonly action_em: string;
  readonly response_em: string;
  readonly response_detail: string;
  readonly errors?: FieldErrors;
}

export interface ErrorAnswer {
  readonly code: ErrorCode;
  readonly status: number;
  readonly body: ErrorBody;
  /** When the same call may succeed. */
  readonly retryAfterSeconds?: number;
}

// Codes of the web framework's own refusals.
const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['payload_too_large', 'the body is larger than this server accepts'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'unsupported_media_type',
    'the body must be application/json, application/x-www-form-urlencoded or multipart/form-data',
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid_parameter', 'the body is not as long as Content-Length says'],
  FST_ERR_BAD_URL: ['invalid_parameter', 'the address holds a broken percent-encoding'],
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'a part of the address is longer than any that exists'],
};

// Network and database conditions that pass: connection refused or lost, server starting, stopping or full, a long wait for
// somebody else's rows.
const PASSING = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|57P0[1-5]|53[0-9A-Z]{3}|08[0-9A-Z]{3}|40001|40P01|57014)$/;

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

export function answerFor(code: ErrorCode, action: string, detail: string, errors?: FieldErrors): ErrorAnswer {
  const { status, response_em } = ERRORS[code];
  const body = { action_em: action, response_em, response_detail: detail };
  return { code, status, body: errors === undefined ? body : { ...body, errors } };
}

export interface ErrorSituation {
  /** action_em of the endpoint that was reached. */
  readonly action: string;
  readonly trace: string;
}

/** `isFault` is true for what the service's operator should look at. */
export function explainError(error: unknown, situation: ErrorSituation): ErrorAnswer & { readonly isFault: boolean } {
  const { action, trace } = situation;
  if (error instanceof StrataError) {
    const answer = answerFor(error.code, action, error.message, error.errors);
    return {
      ...answer,
      body: { ...answer.body, ...error.fields },
      ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      isFault: error.code === 'internal' || error.code === 'timeout',
    };
  }
  const code = codeOf(error);
  const known = FRAMEWORK_ERRORS[code];
  if (known !== undefined) return { ...answerFor(known[0], action, known[1]), isFault: false };
  if (PASSING.test(code)) {
    const detail = `the service cannot answer right now; try again. The trace identifier is ${trace}`;
    return { ...answerFor('unavailable', action, detail), isFault: true };
  }
  const detail = `something went wrong in the service; its log has the details under the trace identifier ${trace}`;
  return { ...answerFor('internal', action, detail), isFault: true };
}

/** Requests that are not even HTTP are answered on the bare socket. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const code: ErrorCode =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'invalid_parameter';
  const detail = code === 'invalid_parameter' ? 'the request is not valid HTTP' : ERRORS[code].meaning;
  const { status, body } = answerFor(code, UNKNOWN_ACTION, detail);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
