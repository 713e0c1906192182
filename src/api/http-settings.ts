// What the operator can set about HTTP; the names are those of the configuration.

export interface HttpSettings {
  readonly body_limit_bytes: number;
  /** Requests that are worked on at a time: each needs a connection. */
  readonly database_pool_size: number;
  /** Whole request, from its first byte to its answer. */
  readonly request_timeout_seconds: number;
  readonly rate_limit_per_minute: number;
  /** Of telemetry, by ingest token. */
  readonly otlp_rows_per_minute: number;
  readonly otlp_bytes_per_minute: number;
  /** Origins whose pages may call the API; none turns CORS off. */
  readonly cors_origins: readonly string[];
  /** Proxies in front; 0: the header is ignored. */
  readonly trust_proxy: number;
  /** Where users reach the service; https turns on Strict-Transport-Security. */
  readonly public_url: string | null;
  /** Further names that the server answers to. */
  readonly allowed_hosts: readonly string[];
}

/** Longest query string, in bytes as sent. */
export const QUERY_LIMIT_BYTES = 16_384;
/** Request line and headers together; leaves room for the longest query. */
export const HEADER_LIMIT_BYTES = 32_768;
