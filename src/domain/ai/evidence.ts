// What AI evidence is worth: every source belongs to one class, and a class says which part of a commit's lines is
// credited to AI. Facts hold lines without weights, so that a changed weight needs no new analysis.
import type { EvidenceSource } from '../commits/line-model.ts';

interface EvidenceClassRow {
  readonly sources: readonly EvidenceSource[];
  /** What the evidence says, for the documentation. */
  readonly says: string;
  /** Its lines are AI's beyond doubt: they are the low end of the range of every AI figure. */
  readonly isSure: boolean;
}

/** Strongest first. */
export const EVIDENCE_CLASSES = {
  exact: {
    sources: ['note', 'agent_trace', 'squashed_record'],
    says: 'a record of who wrote which line, of the commit or of those it was made of; it decides alone for its commit',
    isSure: true,
  },
  agent: { sources: ['author'], says: 'the author is an AI agent', isSure: true },
  counted: {
    sources: ['provider_commit', 'squashed_count'],
    says: 'the provider of the tool counted which part of the lines is its own',
    isSure: false,
  },
  took_part: {
    sources: ['message', 'generated_by', 'co_author', 'entire', 'otlp_commit', 'squashed_commit', 'pr_label'],
    says: 'the commit, the tool that made it, a commit that it was made of, or a label of its pull request says that AI took part',
    isSure: false,
  },
  assisted: { sources: ['assisted_by'], says: 'the commit says that AI assisted', isSure: false },
} as const satisfies Record<string, EvidenceClassRow>;

export type EvidenceClass = keyof typeof EVIDENCE_CLASSES;

const CLASS_ENTRIES = Object.entries(EVIDENCE_CLASSES) as [EvidenceClass, EvidenceClassRow][];
const CLASS_OF_SOURCE = new Map<EvidenceSource, EvidenceClass>(
  CLASS_ENTRIES.flatMap(([name, { sources }]) => sources.map((source) => [source, name] as const)),
);

/** Null for reported use, which is no evidence of a commit's own. */
export const evidenceClassOf = (source: EvidenceSource): EvidenceClass | null => CLASS_OF_SOURCE.get(source) ?? null;

export const sourcesOf = (name: EvidenceClass): readonly EvidenceSource[] => EVIDENCE_CLASSES[name].sources;

export const SURE_SOURCES: readonly EvidenceSource[] = CLASS_ENTRIES.flatMap(([, row]) =>
  row.isSure ? row.sources : [],
);

/** Evidence that stands outside of commits: what providers and tools say of them. */
const CLAIM_SOURCES = ['provider_commit', 'otlp_commit', 'pr_label'] as const satisfies readonly EvidenceSource[];

/** What evidence of a class becomes on a commit that was made of the one that bears it. */
export const CARRIED_AS = {
  exact: 'squashed_record',
  agent: 'squashed_record',
  counted: 'squashed_count',
  took_part: 'squashed_commit',
  assisted: null,
} as const satisfies Record<EvidenceClass, EvidenceSource | null>;

export const CARRIED_SOURCES: readonly EvidenceSource[] = [
  ...new Set(Object.values(CARRIED_AS).filter((source) => source !== null)),
];

/** Evidence that is worked out from other rows, and so taken back with them. */
export const DERIVED_SOURCES: readonly EvidenceSource[] = [...CLAIM_SOURCES, ...CARRIED_SOURCES];

/** Thousandths of a line that evidence of a class credits to AI. */
export type EvidenceWeights = Readonly<Record<EvidenceClass, number>>;

export const WHOLE = 1000;

interface WeightSettings {
  readonly ai_weight_took_part: number;
  readonly ai_weight_assisted: number;
}

/** 72 % of the added lines of such commits were AI's in a public project that has exact records too. */
export const DEFAULT_WEIGHT_SETTINGS: WeightSettings = { ai_weight_took_part: 0.7, ai_weight_assisted: 0.3 };

/** Exact records, agents and the counts of providers need no estimate. */
export const weightsOf = (settings: WeightSettings): EvidenceWeights => ({
  exact: WHOLE,
  agent: WHOLE,
  counted: WHOLE,
  took_part: Math.round(settings.ai_weight_took_part * WHOLE),
  assisted: Math.round(settings.ai_weight_assisted * WHOLE),
});

export const DEFAULT_WEIGHTS = weightsOf(DEFAULT_WEIGHT_SETTINGS);
