// Which collector a token is for: one row per kind.
import { type AiAccount, type AiCollector, type AiCollectors, ProviderError } from '../../domain/ai/collector.ts';
import { missingTokenSetting, TOKEN_KINDS, type TokenKindName, type TokenSettings } from '../../domain/ai/providers.ts';
import { createGuardedFetch, type GuardedFetchOptions } from '../http/guarded-fetch.ts';
import { ANTHROPIC_HEADERS, createConsoleCollector, createEnterpriseCollector } from './anthropic.ts';
import { createAugmentCollector } from './augment.ts';
import { createCodexCollector } from './codex.ts';
import { COPILOT_HEADERS, createCopilotCollector } from './copilot.ts';
import { createCursorCollector } from './cursor.ts';
import { createGitlabDuoCollector } from './gitlab-duo.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';

interface CollectorRow {
  headers(secret: string): Record<string, string>;
  create(client: ProviderClient, settings: TokenSettings): AiCollector;
}

const bearer = (secret: string): Record<string, string> => ({ authorization: `Bearer ${secret}` });

const COLLECTORS: Readonly<Record<TokenKindName, CollectorRow>> = {
  copilot: { headers: COPILOT_HEADERS, create: createCopilotCollector },
  cursor: {
    headers: (secret) => ({ authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}` }),
    create: createCursorCollector,
  },
  anthropic: { headers: ANTHROPIC_HEADERS, create: createConsoleCollector },
  claude_enterprise: { headers: ANTHROPIC_HEADERS, create: createEnterpriseCollector },
  codex: { headers: bearer, create: createCodexCollector },
  augment: { headers: bearer, create: createAugmentCollector },
  gitlab_duo: { headers: bearer, create: createGitlabDuoCollector },
};

const MOST_BYTES = 100_000_000;

export function createAiCollectors(options: GuardedFetchOptions & { now(): Date }): AiCollectors {
  const fetch = createGuardedFetch({ mostBytes: MOST_BYTES, ...options });
  return {
    connect({ kind, secret, settings }: AiAccount): AiCollector {
      const missing = missingTokenSetting(kind, settings);
      if (missing !== null) {
        throw new ProviderError('missing_setting', `nothing is collected until --setting ${missing} is given`);
      }
      const { headers, create } = COLLECTORS[kind];
      const base = settings.base_url ?? TOKEN_KINDS[kind].address;
      const { product } = TOKEN_KINDS[kind];
      return create(
        createProviderClient({ product, base, headers: headers(secret), fetch, now: options.now }),
        settings,
      );
    },
  };
}
