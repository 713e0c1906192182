// How long the keys of the door hold, and which addresses of the page they lead to.

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A session ends so long after it began, and sooner when nobody used it. */
export const SESSION_MS = 30 * DAY;
export const SESSION_IDLE_MS = 14 * DAY;
/** A sign-in link and an invitation open the door once, and only so long. */
export const LINK_MS = 10 * MINUTE;
export const INVITATION_MS = 7 * DAY;

export type SignInKeyKind = 'link' | 'invitation';
export type SessionOrigin = SignInKeyKind | 'password';

const PAGES: Readonly<Record<SignInKeyKind, string>> = { link: '/sign-in', invitation: '/invitation' };

/** The key stands in the fragment, which browsers send nowhere and logs never see. */
export const signInLink = (baseUrl: string, kind: SignInKeyKind, key: string): string =>
  `${baseUrl.replace(/\/+$/, '')}${PAGES[kind]}#${key}`;

/** Where the page begins for somebody of the entity. */
export const firstPage = (entitySlug: string | null): string =>
  entitySlug === null ? '/' : `/e/${encodeURIComponent(entitySlug)}/overview`;
