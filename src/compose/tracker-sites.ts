// Trackers to connect, loaded when the first one is spoken to: most commands never do.
import type { Config } from '../config/load-config.ts';
import type { TrackerSites } from '../domain/work/tracker-site.ts';

export function lazyTrackerSites({ config, now }: { readonly config: Config; now(): Date }): TrackerSites {
  let loaded: Promise<TrackerSites> | null = null;
  const load = async (): Promise<TrackerSites> => {
    const [{ createTrackerSites }, { readAuthorities }] = await Promise.all([
      import('../connectors/trackers/tracker-sites.ts'),
      import('../connectors/http/certificate-authorities.ts'),
    ]);
    return createTrackerSites({
      allowPrivate: config.allow_private_addresses,
      ...(config.ca_file === '' ? {} : { authorities: readAuthorities(config.ca_file) }),
      now,
    });
  };
  const sites = (): Promise<TrackerSites> => {
    loaded ??= load();
    return loaded;
  };
  return {
    streamsOf: async (kind) => (await sites()).streamsOf(kind),
    verify: async (account, signal) => (await sites()).verify(account, signal),
  };
}
