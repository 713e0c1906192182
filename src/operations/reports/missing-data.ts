// A kind of data that is missing, as the page shows it: what it is, and what to do.
import { DATA_REMEDIES } from '../../domain/data-remedies.ts';
import type { DataKind } from '../../domain/segments.ts';

export interface MissingData {
  readonly data_kind: DataKind;
  readonly title: string;
  readonly remedy: string;
  /** A line for a terminal; null where no call sends it. */
  readonly curl: string | null;
  /** Page of the dashboard below `/e/<entity>/`. */
  readonly page: string;
}

export function describeMissing(kind: DataKind): MissingData {
  const { title, remedy, call, page } = DATA_REMEDIES[kind];
  const curl =
    call === null
      ? null
      : `curl -X ${call.method} -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" ` +
        `-d '${JSON.stringify(call.example)}' "$BASE/api/v1${call.path}"`;
  return { data_kind: kind, title, remedy, curl, page };
}
