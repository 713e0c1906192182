// Every command of `strata`, in the order in which --help lists them. A file is loaded only when its
// command is called, and loads what the command works with when it runs: help and refusals wait for neither.
import type { Verb } from '../verb.ts';

/** First word of the commands → where they are. */
const VERB_FILES: Readonly<Record<string, () => Promise<readonly Verb[]>>> = {
  serve: async () => [(await import('./serve.ts')).serve],
  worker: async () => [(await import('./serve.ts')).worker],
  import: async () => [(await import('./import.ts')).importVerb],
  report: async () => [(await import('../report/report.ts')).report],
  analyze: async () => [(await import('../analyze/analyze.ts')).analyze],
  'line-history': async () => [(await import('../line-history/line-history.ts')).lineHistory],
  migrate: async () => [(await import('./migrate.ts')).migrate],
  config: async () => [(await import('./config.ts')).config],
  settings: async () => (await import('./settings.ts')).settingsVerbs,
  entity: async () => (await import('./entity.ts')).entityVerbs,
  user: async () => (await import('./user.ts')).userVerbs,
  'sign-in-link': async () => [(await import('./user.ts')).signInLinkVerb],
  token: async () => (await import('./token.ts')).tokenVerbs,
  ai: async () => (await import('./ai/import.ts')).aiVerbs,
  'llm-token': async () => (await import('./ai/llm-token.ts')).llmTokenVerbs,
  tracker: async () => (await import('../trackers/tracker.ts')).trackerVerbs,
  repo: async () => (await import('./repo.ts')).repoVerbs,
  hosts: async () => [(await import('../hosts/hosts.ts')).hosts],
  webhook: async () => (await import('../hosts/webhooks.ts')).webhookVerbs,
  committer: async () => (await import('./committer.ts')).committerVerbs,
  mail: async () => (await import('./mail.ts')).mailVerbs,
  activity: async () => [(await import('../activity/activity.ts')).activity],
  backup: async () => [(await import('./backup.ts')).backup],
  restore: async () => [(await import('./backup.ts')).restore],
  generate: async () => [(await import('./generate.ts')).generate],
};

export async function loadAllVerbs(): Promise<readonly Verb[]> {
  const lists = await Promise.all(Object.values(VERB_FILES).map((load) => load()));
  return lists.flat();
}

/** Those that the arguments can mean: of one word, or all for help and for words that nobody knows. */
export async function loadVerbsFor(argv: readonly string[]): Promise<readonly Verb[]> {
  const [word] = argv;
  return word !== undefined && Object.hasOwn(VERB_FILES, word) ? VERB_FILES[word]!() : loadAllVerbs();
}
