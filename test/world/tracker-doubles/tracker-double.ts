// A tracker on this machine that shows a generated company; the base of the doubles of all kinds.
import type { TrackerCompany } from '../company/tracker-company.ts';
import type { Answerer, HostDouble } from '../host-doubles/host-double.ts';
import { startHostDouble } from '../host-doubles/host-double.ts';

export interface TrackerDouble extends HostDouble {
  readonly company: TrackerCompany;
  /** Of the tracker. */
  clock: () => Date;
}

export const TRACKER_TOKEN = 'tracker-token-1';
export const TRACKER_EMAIL = 'ada@example.com';

export async function startTrackerDouble(
  company: TrackerCompany,
  answer: (clock: () => Date) => Answerer,
): Promise<TrackerDouble> {
  const own = { clock: () => new Date() };
  const answerer = answer(() => own.clock());
  const double = await startHostDouble(async (request) => {
    const { headers, ...rest } = await answerer(request);
    return { ...rest, headers: { date: own.clock().toUTCString(), ...headers } };
  });
  return Object.defineProperty(Object.assign(double, { company, clock: own.clock }), 'clock', {
    get: () => own.clock,
    set: (clock: () => Date) => {
      own.clock = clock;
    },
  });
}
