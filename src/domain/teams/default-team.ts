// The team that every entity has. Everybody is in it, always; nobody is added to it or taken out.
export const DEFAULT_TEAM = { slug: 'all-contributors', name: 'All contributors' } as const;
