// Labels that tools put on pull requests which they took part in.
import type { AiProvider } from './models.ts';

interface AiLabel {
  /** Compared without regard to case. */
  readonly label: string;
  readonly tool: string;
  readonly provider: AiProvider;
  readonly model: string;
}

export const AI_LABELS: readonly AiLabel[] = [
  // By the contribution metrics of the vendor, on merged pull requests.
  { label: 'claude-code-assisted', tool: 'claude-code', provider: 'vendorC_platform', model: 'claude' },
];
