// Who a commit's people are, as storage wants to know it. Resolved signatures are remembered for the
// length of an import.
import type { ProcessingStatus } from '../../domain/people/processing-status.ts';
import { authorOfRecord, directorsOf } from '../../engine/identity/author-of-record.ts';
import {
  coAuthorKind,
  identityKey,
  identityKind,
  readHostAccount,
  shownName,
  suggestUserName,
} from '../../engine/identity/read-identity.ts';
import type { CommitFact, Identity } from '../../engine/model/facts.ts';
import type { Database } from '../../storage/database/handle.ts';
import {
  type KnownSignature,
  resolveSignatures,
  type SignatureSeed,
  signatureKey,
} from '../../storage/people/commit-people.ts';

export interface CommitPeople {
  /** The author of record: of an agent's commit the person who directed it, where one is known. */
  readonly author_id: number;
  readonly agent_id: number | null;
  readonly author_signature_id: number;
  readonly raw_author_signature_id: number | null;
  readonly committer_signature_id: number | null;
  readonly raw_committer_signature_id: number | null;
  readonly co_author_signature_ids: readonly number[];
}

export class ImportPeople {
  readonly #db: Database;
  readonly #entityId: number;
  readonly #defaultStatus: ProcessingStatus;
  readonly #known = new Map<string, KnownSignature>();
  /** By signature key as written: whether the author is an agent. Reading that out of an address takes dozens of patterns. */
  readonly #agents = new Map<string, boolean>();

  constructor(db: Database, entityId: number, defaultStatus: ProcessingStatus) {
    this.#db = db;
    this.#entityId = entityId;
    this.#defaultStatus = defaultStatus;
  }

  /** Makes everybody in these commits known, with one round trip when somebody is new. */
  async learn(facts: Iterable<CommitFact>): Promise<void> {
    const seeds = new Map<string, SignatureSeed>();
    const add = (identity: Identity, belongsTo: Identity | null, kindOf = identityKind) => {
      const clean = storable(identity);
      const key = signatureKey(clean);
      if (this.#known.has(key) || seeds.has(key)) return;
      seeds.set(key, { ...seedOf(clean, belongsTo), kind: kindOf(identity) });
    };
    for (const fact of facts) {
      add(fact.author, null);
      add(fact.committer, null);
      add(fact.raw_author, fact.author);
      add(fact.raw_committer, fact.committer);
      for (const person of fact.co_authors) add(person, null, coAuthorKind);
    }
    if (seeds.size === 0) return;
    const found = await resolveSignatures(this.#db, this.#entityId, [...seeds.values()], this.#defaultStatus);
    for (const [key, signature] of found) this.#known.set(key, signature);
  }

  of(fact: CommitFact): CommitPeople {
    const author = this.#get(fact.author);
    const rawAuthor = this.#get(fact.raw_author);
    const committer = this.#get(fact.committer);
    const rawCommitter = this.#get(fact.raw_committer);
    const unless = (id: number, same: number) => (id === same ? null : id);
    const isAgent = this.#isAgent(fact.author);
    const person = isAgent ? authorOfRecord(fact, directorsOf(fact)) : null;
    return {
      author_id: person === null ? author.committer_id : this.#get(person).committer_id,
      agent_id: isAgent ? author.committer_id : null,
      author_signature_id: author.signature_id,
      raw_author_signature_id: unless(rawAuthor.signature_id, author.signature_id),
      committer_signature_id: unless(committer.signature_id, author.signature_id),
      raw_committer_signature_id: unless(rawCommitter.signature_id, committer.signature_id),
      co_author_signature_ids: fact.co_authors.map((person) => this.#get(person).signature_id),
    };
  }

  #isAgent(identity: Identity): boolean {
    const key = signatureKey(identity);
    let isAgent = this.#agents.get(key);
    if (isAgent === undefined) {
      isAgent = identityKind(identity) === 'ai_agent';
      this.#agents.set(key, isAgent);
    }
    return isAgent;
  }

  #get(identity: Identity): KnownSignature {
    const signature = this.#known.get(signatureKey(storable(identity)));
    if (signature === undefined) throw new Error(`nobody knows ${identity.name} <${identity.email}>`);
    return signature;
  }
}

/** What an index can hold of a name or an address is cut off; PostgreSQL's text has no NUL, and no half of a pair. */
const LONGEST = 320;
const isStorable = (text: string): boolean => text.length <= LONGEST && !text.includes('\0');
const storableText = (text: string): string =>
  text
    .replaceAll('\0', '')
    .slice(0, LONGEST)
    .replace(/[\ud800-\udbff]$/, '');

const storable = (identity: Identity): Identity =>
  isStorable(identity.name) && isStorable(identity.email)
    ? identity
    : { name: storableText(identity.name), email: storableText(identity.email) };

const LONGEST_KEY = 500;

function seedOf(identity: Identity, belongsTo: Identity | null): Omit<SignatureSeed, 'kind'> {
  const key = identityKey(identity).slice(0, LONGEST_KEY);
  const owner = belongsTo === null ? key : identityKey(belongsTo).slice(0, LONGEST_KEY);
  const account = readHostAccount(identity.email);
  return {
    name: identity.name,
    email: identity.email,
    full_name: shownName(identity),
    address_key: key,
    user_name: suggestUserName(identity),
    git_provider_id: account?.id ?? null,
    belongs_to: owner === key ? null : owner,
  };
}
