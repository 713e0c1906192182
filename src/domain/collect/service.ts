// A service that is collected from, a code host or a tracker: what its messages call it.
import { GIT_PROVIDERS, type GitProvider } from '../repos/code-host.ts';
import { TRACKER_KINDS, type TrackerKind } from '../work/issue.ts';

export type ServiceKind = GitProvider | TrackerKind;

const SERVICES: Readonly<Record<ServiceKind, { readonly product: string; readonly token_rights: string }>> = {
  ...GIT_PROVIDERS,
  ...TRACKER_KINDS,
};

export const serviceOf = (kind: ServiceKind) => SERVICES[kind];
