// What may speak for two committers being one person; wire values, the strongest first.

export const IDENTITY_EVIDENCE = ['same_name_and_host_address', 'same_name_in_same_repos'] as const;
export type IdentityEvidence = (typeof IDENTITY_EVIDENCE)[number];
