// Marks of AI as they stand in real public commits since 2024, all branches: what is written, what it has to be read
// as, and how many commits of which repo had it when it was looked up.
import type { EvidenceClass } from '../../../src/domain/ai/evidence.ts';

export interface SeenMark {
  /** Where it stands: the author, or a line of the message. */
  readonly author?: string;
  readonly line?: string;
  readonly model: string;
  readonly class: EvidenceClass;
  readonly seen: Readonly<Record<string, number>>;
}

const author = (text: string, model: string, seen: SeenMark['seen']): SeenMark => ({
  author: text,
  model,
  class: 'agent',
  seen,
});
const said = (line: string, model: string, seen: SeenMark['seen']): SeenMark => ({
  line,
  model,
  class: 'took_part',
  seen,
});
const assisted = (line: string, model: string, seen: SeenMark['seen']): SeenMark => ({
  line,
  model,
  class: 'assisted',
  seen,
});

export const SEEN_MARKS: readonly SeenMark[] = [
  author('Devin AI <158243242+devin-ai-integration[bot]@users.noreply.github.com>', 'devin', {
    'airbytehq/PyAirbyte': 728,
    'git-ai-project/git-ai': 385,
  }),
  author('copilot-swe-agent[bot] <198982749+Copilot@users.noreply.github.com>', 'github-copilot', {
    'dotnet/aspire': 490,
    'github/github-mcp-server': 272,
    'git-ai-project/git-ai': 50,
    'microsoft/playwright-mcp': 31,
  }),
  author('Copilot <198982749+Copilot@users.noreply.github.com>', 'github-copilot', {
    'dotnet/aspire': 695,
    'github/github-mcp-server': 23,
  }),
  author('Copilot <223556219+Copilot@users.noreply.github.com>', 'github-copilot', { 'github/github-mcp-server': 3 }),
  author('Copilot Agent <agent@github.copilot>', 'github-copilot', { 'dotnet/aspire': 2 }),
  author('GitHub Copilot <github-copilot@github.com>', 'github-copilot', { 'dotnet/aspire': 1 }),
  author('Claude <noreply@anthropic.com>', 'claude', { 'entireio/cli': 9, 'git-ai-project/git-ai': 7 }),
  author('mayor <noreply@anthropic.com>', 'claude', { 'steveyegge/beads': 1 }),
  author('Claude Code <claude@anthropic.com>', 'claude', { 'steveyegge/beads': 4 }),
  author('continue[bot] <continue[bot]@users.noreply.github.com>', 'continue', { 'continuedev/continue': 118 }),
  author('continue[bot] <230936708+continue[bot]@users.noreply.github.com>', 'continue', {
    'continuedev/continue': 25,
  }),
  author('gemini-cli[bot] <gemini-cli[bot]@users.noreply.github.com>', 'gemini', { 'google-gemini/gemini-cli': 65 }),
  author('Amp <amp@example.com>', 'amp', { 'steveyegge/beads': 14 }),
  author('Codex <codex@example.com>', 'codex', { 'openai/codex': 9 }),
  author('Codex Agent <codex-agent@example.com>', 'codex', { 'steveyegge/beads': 7 }),

  said('Co-Authored-By: Claude Opus 4.6 <noreply@anthropic.com>', 'claude-opus-4.6', {
    'git-ai-project/git-ai': 2021,
    'steveyegge/beads': 1090,
    'simstudioai/sim': 618,
  }),
  said('Co-Authored-By: Claude Opus 5 (1M context) <noreply@anthropic.com>', 'claude-opus-5', {
    'simstudioai/sim': 251,
  }),
  said('Co-Authored-By: Claude Fable 5 <noreply@anthropic.com>', 'claude-fable-5', { 'simstudioai/sim': 225 }),
  said('Co-Authored-By: Claude <noreply@anthropic.com>', 'claude', { 'steveyegge/beads': 487 }),
  said('Co-authored-by: Codex <noreply@openai.com>', 'codex', { 'openai/codex': 1680 }),
  said('Co-authored-by: Codex noreply@openai.com', 'codex', { 'openai/codex': 256 }),
  said('Co-authored-by: Codex <199175422+chatgpt-codex-connector[bot]@users.noreply.github.com>', 'codex', {
    'openai/codex': 11,
  }),
  said('Co-authored-by: Copilot <223556219+Copilot@users.noreply.github.com>', 'github-copilot', {
    'dotnet/aspire': 1314,
    'github/github-mcp-server': 277,
  }),
  said('Co-authored-by: Copilot App <223556219+Copilot@users.noreply.github.com>', 'github-copilot', {
    'github/github-mcp-server': 132,
  }),
  said('Co-authored-by: copilot-swe-agent[bot] <198982749+Copilot@users.noreply.github.com>', 'github-copilot', {
    'dotnet/aspire': 766,
  }),
  said('Co-authored-by: Amp <amp@ampcode.com>', 'amp', { 'steveyegge/beads': 622 }),
  said('Co-authored-by: Cursor <cursoragent@cursor.com>', 'cursor', { 'simstudioai/sim': 159 }),
  said('Co-Authored-By: Continue <noreply@continue.dev>', 'continue', { 'continuedev/continue': 196 }),
  said('Co-authored-by: Continue Agent <agent@continue.dev>', 'continue', { 'continuedev/continue': 19 }),
  said('Co-authored-by: Devin AI <158243242+devin-ai-integration[bot]@users.noreply.github.com>', 'devin', {
    'airbytehq/PyAirbyte': 174,
  }),
  said('Co-authored-by: google-labs-jules[bot] <161369871+google-labs-jules[bot]@users.noreply.github.com>', 'jules', {
    'google-gemini/gemini-cli': 22,
  }),
  said('Co-authored-by: factory-droid[bot] <138933559+factory-droid[bot]@users.noreply.github.com>', 'factory-droid', {
    'steveyegge/beads': 25,
  }),
  said('Co-authored-by: openhands <openhands@all-hands.dev>', 'openhands', { 'continuedev/continue': 3 }),
  // agents that review: what they suggested was taken over
  said(
    'Co-authored-by: gemini-code-assist[bot] <176961590+gemini-code-assist[bot]@users.noreply.github.com>',
    'gemini',
    {
      'google-gemini/gemini-cli': 529,
    },
  ),
  said('Co-authored-by: greptile-apps[bot] <165735046+greptile-apps[bot]@users.noreply.github.com>', 'greptile', {
    'simstudioai/sim': 106,
  }),
  said('Co-authored-by: coderabbitai[bot] <136622811+coderabbitai[bot]@users.noreply.github.com>', 'coderabbit', {
    'airbytehq/PyAirbyte': 16,
  }),
  said(
    'Co-authored-by: Copilot Autofix powered by AI <62310815+github-advanced-security[bot]@users.noreply.github.com>',
    'github-copilot',
    { 'continuedev/continue': 3, 'airbytehq/PyAirbyte': 2 },
  ),
  said(
    'Co-authored-by: Copilot Autofix powered by AI <223894421+github-code-quality[bot]@users.noreply.github.com>',
    'github-copilot',
    { 'airbytehq/PyAirbyte': 2 },
  ),
  said('Co-developed-by: Claude Opus 4.7 <noreply@anthropic.com>', 'claude-opus-4.7', { 'systemd/systemd': 605 }),
  said('Co-developed-by: Claude <claude@anthropic.com>', 'claude', { 'systemd/systemd': 90 }),
  said('Co-developed-by: Codex (GPT-5) <noreply@openai.com>', 'gpt-5', { 'systemd/systemd': 48 }),
  said('Co-developed-by: GPT-5.3-Codex <noreply@github.com>', 'gpt-5.3-codex', { 'systemd/systemd': 5 }),
  said('Co-developed-by: GitHub Copilot <github-copilot[bot]@users.noreply.github.com>', 'github-copilot', {
    'systemd/systemd': 6,
  }),
  said('Generated-By: claude-code (claude-opus-4.6)', 'claude-opus-4.6', { 'openstack/watcher': 7 }),
  said('Generated-By: claude-code', 'claude', { 'openstack/ironic': 7, 'openstack/watcher': 5 }),
  said('Generated-by: Jetbrains Junie', 'junie', { 'openstack/ironic': 11 }),
  said('🤖 Generated with [Claude Code](https://claude.com/claude-code)', 'claude', { 'steveyegge/beads': 1139 }),
  said('🤖 Generated with Claude Code', 'claude', { 'continuedev/continue': 23 }),
  said('Generated with [Continue](https://continue.dev)', 'continue', { 'continuedev/continue': 198 }),
  said('🤖 Generated with [Firebender](https://firebender.com)', 'firebender', { 'git-ai-project/git-ai': 20 }),
  said('🤖 Generated with [Nori](https://nori.ai)', 'nori', { 'steveyegge/beads': 5 }),
  said('Claude-Session: https://claude.ai/code/session_01CiHhAk2R1NryaS3R8n2yFz', 'claude', { 'simstudioai/sim': 74 }),
  said('https://claude.ai/code/session_01CiHhAk2R1NryaS3R8n2yFz', 'claude', { 'entireio/cli': 7 }),
  said('Copilot-Session: 4b04480c-c2e9-483e-9b0f-34830b76a2f8', 'github-copilot', { 'github/github-mcp-server': 38 }),
  said(
    'Agent-Logs-Url: https://github.com/github/github-mcp-server/sessions/53221b0b-abb4-4138-a147-3ce9e13b379a',
    'github-copilot',
    { 'github/github-mcp-server': 9, 'dotnet/aspire': 1 },
  ),
  said('Task](https://chatgpt.com/codex/tasks/task_i_69763f570234832d9c67b1b66a27c78d)', 'codex', {
    'openai/codex': 94,
  }),
  said('Devin session: https://app.devin.ai/sessions/0123456789abcdef0123456789abcdef', 'devin', {
    'airbytehq/PyAirbyte': 5,
  }),
  said('Amp-Thread-ID: https://ampcode.com/threads/T-019ced5e-0acd-7158-93ad-0695c6d02580', 'amp', {
    'steveyegge/beads': 590,
  }),
  said('Made-with: Cursor', 'cursor', { 'simstudioai/sim': 11, 'steveyegge/beads': 6, 'systemd/systemd': 4 }),
  said('Entire-Agent: Claude Code', 'claude', { 'entireio/cli': 319 }),
  said('Entire-Checkpoint: 0123456789ab', 'other', { 'entireio/cli': 642 }),

  assisted('Assisted-by: kres (claude-opus-4-7)', 'claude-opus-4.7', { 'systemd/systemd': 65 }),
  assisted('Assisted-By: Claude Opus 4.6', 'claude-opus-4.6', { 'openstack/ironic': 60 }),
  assisted('Assisted-By: Claude', 'claude', { 'openstack/watcher': 13 }),
  assisted('Assisted-by: kiro:auto', 'kiro', { 'systemd/systemd': 10 }),
  assisted('Assisted-by: Claude/sonnet-4.5', 'claude-sonnet-4.5', { 'openstack/ironic': 8 }),
  assisted('Assisted-By: Cursor (claude-4-sonnet)', 'claude-sonnet-4', { 'openstack/ironic': 5 }),
];

/** What looks like a mark and is none. */
export const SEEN_PEOPLE: readonly { readonly author?: string; readonly line?: string }[] = [
  { author: 'Claude Paroz <claude@2xlibre.net>' },
  { author: 'Devin Cox <dcox@surefyre.co>' },
  { author: 'Devin Gould <djgould0628@gmail.com>' },
  { author: 'Cody Peterson <54814569+lostmygithubaccount@users.noreply.github.com>' },
  { author: 'Aiden Cline <63023139+rekram1-node@users.noreply.github.com>' },
  { author: 'Michael Bolin <mbolin@openai.com>' },
  { author: 'Ty Dunn <ty@continue.dev>' },
  { author: 'gemini-cli-robot <gemini-cli-robot@google.com>' },
  { author: 'Ada Lovelace <ada@example.com>', line: 'Co-authored-by: Devin Gould <djgould0628@gmail.com>' },
  { line: 'Co-authored-by: Benjamin Goose <benjamin.goose@tngtech.com>' },
  { line: 'Co-authored-by: gemini-cli-robot <gemini-cli-robot@google.com>' },
  { line: 'Generated-By: openstack/project-config:roles/copy-release-tools-scripts/files/release-tools/functions' },
  { line: 'Signed-off-by: Gemini, your friendly neighborhood code agent.' },
  { line: 'Generated by scripts/bump-version.sh' },
];
