// When a stream is walked again. A quiet look costs a call, so walks are as far apart as the number of repos requires. Where they
// are many, or more than an hour apart, each has its own time in the interval, so that no hour gets those of all repos. What
// one call answers for many repos stays together as long as that is at least once an hour.
import type { OpenCollector, StreamRow } from '../domain/collect/stream.ts';

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
/** Multiples of it fall evenly between 0 and 1, whatever the step between the ids. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
/** Of ids, so that a multiple keeps its fraction. */
const ID_RANGE = 1_000_003;
/** Of a quiet hour's calls: some hours get a few more walks than others. */
const AIM = 0.9;

/** What a stream is of, as its row has it; the fresh walk and the backfill have the same. */
export interface PacedPlace {
  readonly repo_id: number | null;
  readonly tracker_id: number | null;
  readonly organization_external_id: string | null;
}

export interface Pace {
  /** The next walk of a stream that was looked at just now. */
  dueAt(stream: StreamRow, place: PacedPlace, now: Date): Date;
}

export interface PaceOptions {
  readonly streams: readonly StreamRow[];
  /** Fresh walks at the host, by stream. */
  readonly counts: ReadonlyMap<string, number>;
  readonly quietCalls: OpenCollector['quietCalls'];
  readonly probe: Pick<NonNullable<OpenCollector['probe']>, 'resource' | 'most' | 'streams'> | null;
}

export function createPace(options: PaceOptions): Pace {
  const stretches = stretchesOf(options);
  return {
    dueAt({ name, everyMinutes, resource }, place, now) {
      const stretch = isStretched(everyMinutes) ? (stretches.get(resource) ?? 1) : 1;
      const minutes = everyMinutes * stretch;
      const interval = Math.round(minutes * MINUTE_MS);
      const at = now.getTime();
      const isTogether = options.probe?.streams.includes(name) === true;
      const isSpread = minutes > HOUR_MINUTES || (stretch > 1 && !isTogether);
      if (!isSpread) return new Date(at + interval);
      const ownTime = Math.floor(fractionOf(name, place) * interval);
      const behind = (((at - ownTime) % interval) + interval) % interval;
      return new Date(at - behind + interval);
    },
  };
}

/** Where in the interval, from 0 to 1. */
function fractionOf(stream: string, { repo_id, tracker_id, organization_external_id }: PacedPlace): number {
  const id = repo_id ?? tracker_id ?? sumOf(organization_external_id ?? '');
  return (((id % ID_RANGE) + sumOf(stream) / Math.E) * GOLDEN_RATIO) % 1;
}

const sumOf = (text: string): number => [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

/** What is looked at daily stays daily. */
const isStretched = (everyMinutes: number): boolean => everyMinutes < DAY_MINUTES;

/** By budget: how much further apart its walks are than their streams say, so that they fit into a quiet hour. */
function stretchesOf({ streams, counts, quietCalls, probe }: PaceOptions): ReadonlyMap<string, number> {
  if (quietCalls === null) return new Map();
  const most = quietCalls * AIM;
  const countOf = (name: string) => counts.get(name) ?? 0;
  const hourly = (list: readonly StreamRow[]) =>
    list
      .filter(({ name }) => probe?.streams.includes(name) !== true)
      .reduce((sum, { name, everyMinutes }) => sum + (countOf(name) * HOUR_MINUTES) / everyMinutes, 0);
  const probes = (resource: string): number => {
    if (probe?.resource !== resource) return 0;
    const probed = streams.filter(({ name }) => probe.streams.includes(name) && countOf(name) > 0);
    if (probed.length === 0) return 0;
    const repos = Math.max(...probed.map(({ name }) => countOf(name)));
    return (Math.ceil(repos / probe.most) * HOUR_MINUTES) / Math.min(...probed.map(({ everyMinutes }) => everyMinutes));
  };
  const resources = [
    ...new Set([...streams.map(({ resource }) => resource), ...(probe === null ? [] : [probe.resource])]),
  ];
  return new Map(
    resources.map((resource) => {
      const own = streams.filter((stream) => stream.resource === resource);
      const daily = hourly(own.filter(({ everyMinutes }) => !isStretched(everyMinutes)));
      const stretched = hourly(own.filter(({ everyMinutes }) => isStretched(everyMinutes))) + probes(resource);
      return [resource, Math.max(1, stretched / Math.max(most - daily, most / 10))];
    }),
  );
}
