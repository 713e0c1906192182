// A host that shows a company: what every double of one has, and how a table of calls becomes a server. An answer that the
// host's description does not allow is answered with 500 and its reason, which no test expects.

import type { Company } from '../company/company.ts';
import {
  type DoubleAnswer,
  type DoubleRequest,
  type HostDouble,
  startHostDouble,
} from '../host-doubles/host-double.ts';
import { checkItem, type Description, type FoundOperation, findOperation, refuseQuery } from './described.ts';

export interface CompanyDouble extends HostDouble {
  readonly company: Company;
  /** The host's clock. */
  clock: () => Date;
}

export interface Call extends DoubleRequest {
  readonly values: Readonly<Record<string, string>>;
}

/** Undefined where the host has nothing under this address. */
export type Shown = { readonly list: readonly unknown[] } | { readonly one: unknown } | undefined;

export interface HostDialect {
  readonly description: Description;
  /** In front of every path. */
  readonly base: string;
  /** Null lets it in. */
  refuse(request: DoubleRequest): DoubleAnswer | null;
  readonly calls: Readonly<Record<string, (call: Call) => Shown>>;
  /** One page of a list as the host writes it. */
  page(list: readonly unknown[], call: Call): DoubleAnswer & { readonly items: readonly unknown[] };
  notFound(): DoubleAnswer;
  headers?(request: DoubleRequest): Readonly<Record<string, string>>;
}

export async function startCompanyHost(company: Company, dialect: HostDialect): Promise<CompanyDouble> {
  const faults: string[] = [];
  const fault = (text: string): DoubleAnswer => {
    faults.push(text);
    return { status: 500, body: { message: text } };
  };
  const answerWell = (request: DoubleRequest): DoubleAnswer => {
    const refused = dialect.refuse(request);
    if (refused !== null) return refused;
    const found = findOperation(dialect.description, request.path.replace(dialect.base, ''));
    if (found === null) return fault(`there is no call ${request.path}`);
    const wrong = refuseQuery(found, request.query);
    if (wrong !== null) return fault(wrong);
    try {
      return show(found, { ...request, values: found.values });
    } catch (error) {
      return fault(error instanceof Error ? error.message : String(error));
    }
  };
  const show = (found: FoundOperation, call: Call): DoubleAnswer => {
    const shown = dialect.calls[found.name]?.(call);
    if (shown === undefined) return dialect.notFound();
    if ('one' in shown) {
      checkItem(found, shown.one);
      return { body: shown.one };
    }
    const { items, ...page } = dialect.page(shown.list, call);
    for (const item of items) checkItem(found, item);
    return page;
  };
  const double = await startHostDouble((request) => {
    const answer = answerWell(request);
    const date = { date: result.clock().toUTCString() };
    return { ...answer, headers: { ...date, ...dialect.headers?.(request), ...answer.headers } };
  });
  const result: CompanyDouble = Object.assign(double, { company, clock: () => new Date(), faults });
  return result;
}
