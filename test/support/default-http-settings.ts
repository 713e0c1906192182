// What the service sets when the operator sets nothing; for servers that tests and benchmarks build by hand.
import type { HttpSettings } from '../../src/api/http-settings.ts';

export const DEFAULT_HTTP_SETTINGS: HttpSettings = {
  body_limit_bytes: 1_048_576,
  request_timeout_seconds: 30,
  rate_limit_per_minute: 600,
  otlp_rows_per_minute: 3_000_000,
  otlp_bytes_per_minute: 1_073_741_824,
  cors_origins: [],
  trust_proxy: 0,
  database_pool_size: 10,
  public_url: null,
  allowed_hosts: [],
};
