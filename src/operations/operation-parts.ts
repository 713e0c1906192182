// What operations are made of: the database, the clock and the log, given once at start.

import type { Derivation } from '../domain/commits/derivation.ts';
import type { CodeHosts } from '../domain/repos/code-host.ts';
import type { ImportTarget } from '../domain/repos/import-target.ts';
import type { RepoMirrors } from '../domain/repos/mirrors.ts';
import type { CloneCredentials, RepoSource } from '../domain/repos/source.ts';
import type { LinkParts } from '../domain/surveys/link.ts';
import type { TrackerSites } from '../domain/work/tracker-site.ts';
import type { ScryptCost } from '../kit/door/scrypt-password.ts';
import type { Log } from '../kit/log.ts';
import type { SecretBox } from '../kit/sealed-secret.ts';
import type { Store } from '../storage/database/handle.ts';

export interface OperationParts {
  readonly store: Store;
  readonly log: Log;
  /** A clock that never goes back, for how long something holds; that of the process if not given. */
  readonly elapsedMs?: () => number;
  /** Where repositories can be imported from, in the order in which they are asked. */
  readonly sources?: readonly RepoSource[];
  /** Keeps the credentials of addresses that the operator registers. */
  readonly credentials?: { store(address: string, credentials: CloneCredentials): Promise<void> };
  /** Copies of repos on this machine. */
  readonly mirrors?: RepoMirrors;
  /** Removes the copies on this machine, of a repo that is gone. */
  forgetMirror?(repo: { readonly entityId: number; readonly importId: number }): Promise<void>;
  /** Whether mail leaves the outbox, and where its links lead. */
  readonly mail?: { readonly canSend: boolean; readonly publicUrl: string | null };
  /** The code hosts that users may connect. */
  readonly codeHosts?: CodeHosts;
  /** The trackers that may be connected. */
  readonly trackerSites?: TrackerSites;
  /** How long a host may take to confirm a token; 10 seconds unless given. */
  readonly verificationMilliseconds?: number;
  /** Seals the secrets that must be read again. */
  readonly secrets?: SecretBox;
  /** For links in mail and records. Commands that make none do without. */
  readonly links?: LinkParts;
  /** Folders of this machine that super admins may import from; empty unless the server listens on loopback alone. */
  readonly importFolders?: readonly string[];
  /** What lies at a place of this machine: a repository, or those of a folder. Throws when nothing does. */
  readonly listTargets?: (path: string, as: string | undefined) => readonly ImportTarget[];
  /** Of this program. */
  readonly version?: string;
  /** What facts of this program follow from; reports name the repos whose facts follow from another one. */
  readonly derivation?: Derivation | undefined;
  /** How people come in. */
  readonly door?: {
    /** False: only by links and invitations. */
    readonly hasPasswords?: boolean;
    /** Work of a hash; less of it makes tests quick. */
    readonly passwordCost?: ScryptCost;
  };
  now(): Date;
}
