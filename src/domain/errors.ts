// Every error the service can answer with: one row each. The API answers from this table, the
// documentation lists it, and a test proves that each row is reachable and none is missing.

export const ERRORS = {
  unauthorized: {
    status: 401,
    response_em: 'response_unauthorized',
    meaning: 'No valid token or session was sent, or a key or password is wrong.',
  },
  forbidden: {
    status: 403,
    response_em: 'response_forbidden',
    meaning: 'The caller is known, but lacks the right; or a page of another site made the request.',
  },
  not_found: {
    status: 404,
    response_em: 'response_not_found',
    meaning: 'No such resource, or none the caller may know of.',
  },
  method_not_allowed: {
    status: 405,
    response_em: 'response_method_not_allowed',
    meaning: 'The path exists, the method does not.',
  },
  request_timeout: {
    status: 408,
    response_em: 'response_request_timeout',
    meaning: 'The request did not arrive completely in time.',
  },
  conflict: { status: 409, response_em: 'response_conflict', meaning: 'The call contradicts the current state.' },
  payload_too_large: {
    status: 413,
    response_em: 'response_payload_too_large',
    meaning: 'The body or the query is larger than allowed.',
  },
  unsupported_media_type: {
    status: 415,
    response_em: 'response_unsupported_media_type',
    meaning: 'The body is neither JSON nor form data, encoded or in parts, or its charset is not UTF-8.',
  },
  invalid_parameter: {
    status: 400,
    response_em: 'response_invalid_parameter',
    meaning: 'A value is missing or malformed.',
  },
  unprocessable: { status: 422, response_em: 'response_unprocessable', meaning: 'Well-formed, but a rule forbids it.' },
  missing_conditional_parameter: {
    status: 422,
    response_em: 'response_invalid_parameter',
    meaning: 'A parameter is required because of the value of another.',
  },
  provider_rejected: {
    status: 422,
    response_em: 'response_provider_rejected',
    meaning: 'The code host refused the supplied credentials.',
  },
  provider_scope: {
    status: 422,
    response_em: 'response_provider_scope',
    meaning: 'The code host accepts the credentials, but they lack a right that is needed.',
  },
  provider_unreachable: {
    status: 422,
    response_em: 'response_provider_unreachable',
    meaning: 'The code host cannot be reached, does not answer in time, or lies where this service may not connect to.',
  },
  provider_quota: {
    status: 422,
    response_em: 'response_provider_quota',
    meaning: 'The code host accepts no more requests of these credentials for now; see Retry-After.',
  },
  provider_mismatch: {
    status: 422,
    response_em: 'response_provider_mismatch',
    meaning: 'What answers at the address does not speak the API of that code host.',
  },
  misdirected: {
    status: 421,
    response_em: 'response_misdirected',
    meaning: 'The host name of the request is none of this server; see the setting allowed_hosts.',
  },
  rate_limited: {
    status: 429,
    response_em: 'response_rate_limited',
    meaning: 'Too many requests for this token or session, or too many passwords tried; see Retry-After.',
  },
  headers_too_large: {
    status: 431,
    response_em: 'response_headers_too_large',
    meaning: 'The request line and headers together are larger than allowed.',
  },
  internal: {
    status: 500,
    response_em: 'response_error',
    meaning: 'A fault of the service; the trace identifier finds it in the logs.',
  },
  unavailable: {
    status: 503,
    response_em: 'response_unavailable',
    meaning: 'The service is starting, stopping or overloaded; try again.',
  },
  timeout: { status: 504, response_em: 'response_timeout', meaning: 'The request took longer than allowed.' },
} as const satisfies Record<string, { status: number; response_em: string; meaning: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Parameter name → what is wrong with it and what would be accepted. */
export type FieldErrors = Record<string, string[]>;

/** An error meant for the caller: its message is shown, so it names values and never secrets. */
export class StrataError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldErrors | undefined;
  /** Further fields of the answer that the specification shows beside an error. */
  readonly fields: Readonly<Record<string, unknown>> | undefined;
  /** When the same call may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      errors?: FieldErrors;
      fields?: Readonly<Record<string, unknown>>;
      retryAfterSeconds?: number;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StrataError';
    this.code = code;
    this.errors = options.errors;
    this.fields = options.fields;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
