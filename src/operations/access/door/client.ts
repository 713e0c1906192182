// Who is at the door, before anything is known of them: where a request came from and with which program.

export interface Client {
  /** Internet address, as far as proxies are trusted to tell it. */
  readonly address: string;
  /** What the program calls itself. */
  readonly agent: string;
  /** Secret of the session that the client showed, whether it holds or not; a new one ends it. */
  readonly session: string | null;
}

export const UNKNOWN_CLIENT: Client = { address: '', agent: '', session: null };
