// Ready-made surveys: four statements each, answered from 1 (strongly disagree) to 5 (strongly agree).
// Every statement is worded so that 5 is the good end; scores could not be averaged otherwise.

export const SURVEY_CATEGORIES = [
  'ai_adoption',
  'development_tools',
  'satisfaction_and_sentiment',
  'workflows_and_processes',
] as const;
export type SurveyCategory = (typeof SURVEY_CATEGORIES)[number];

export const SURVEY_CATEGORY_TITLES: Readonly<Record<SurveyCategory, string>> = {
  ai_adoption: 'AI Adoption',
  development_tools: 'Development Tools',
  satisfaction_and_sentiment: 'Satisfaction & Sentiment',
  workflows_and_processes: 'Workflows and Processes',
};

export interface SurveyTemplate {
  readonly name: string;
  readonly description: string;
  readonly category_em: SurveyCategory;
  readonly statements: readonly string[];
}

export const SURVEY_TEMPLATES = {
  ai_tools_adoption: {
    name: 'AI tools adoption',
    description: 'Do AI assistants help with the daily work, and do people trust what they produce?',
    category_em: 'ai_adoption',
    statements: [
      'The AI tools I have access to save me time in a typical week.',
      'I can judge well when code suggested by an AI tool is good enough to keep.',
      'I know which uses of AI tools are permitted for our code and data.',
      'I have had the time and guidance I need to learn to use AI tools well.',
    ],
  },
  ci_cd_and_build_experience: {
    name: 'CI/CD and build experience',
    description: 'How fast and how trustworthy is the way from a commit to production?',
    category_em: 'development_tools',
    statements: [
      'Builds and tests finish quickly enough that I do not lose my train of thought.',
      'When a pipeline fails, the cause is nearly always my change and not the pipeline.',
      'I can find out from the output alone why a pipeline failed.',
      'I am confident when I deploy a change to production.',
    ],
  },
  code_review: {
    name: 'Code review',
    description: 'Are reviews timely, thorough and useful to both sides?',
    category_em: 'workflows_and_processes',
    statements: [
      'My pull requests get their first review soon enough.',
      'The comments I receive make the code better.',
      'The pull requests I am asked to review are small enough to review well.',
      'The work of reviewing is shared fairly in my team.',
    ],
  },
  developer_experience: {
    name: 'Developer experience',
    description: 'How does it feel to build software here?',
    category_em: 'satisfaction_and_sentiment',
    statements: [
      'I have enough uninterrupted time to do focused work.',
      'It is easy for me to find the knowledge I need for my tasks.',
      'I understand why the things I work on matter.',
      'I would recommend this place to another developer.',
    ],
  },
  onboarding: {
    name: 'Onboarding',
    description: 'How well do people who are new, or new to a project, find their way?',
    category_em: 'workflows_and_processes',
    statements: [
      'I could set up a working development environment without help within a day.',
      'The documentation told me what I needed to make my first change.',
      'I always knew whom to ask when I was stuck.',
      'My first tasks were of the right size to learn from.',
    ],
  },
  team_collaboration: {
    name: 'Team collaboration',
    description: 'How do people work together within the team and with others?',
    category_em: 'satisfaction_and_sentiment',
    statements: [
      'In my team it is safe to admit a mistake or to ask for help.',
      'My team takes decisions in a way that I can follow and influence.',
      'I get what I need from other teams without long waits.',
      'Our meetings are worth the time they take.',
    ],
  },
  technical_debt: {
    name: 'Technical debt',
    description: 'How much does the state of the code slow people down, and is anything done about it?',
    category_em: 'workflows_and_processes',
    statements: [
      'The code I work on is easy to understand and to change.',
      'The automated tests would catch a serious mistake of mine.',
      'We set aside enough time to improve the code we already have.',
      'When I report a weakness of our systems, it is taken seriously.',
    ],
  },
  tooling_satisfaction: {
    name: 'Tooling satisfaction',
    description: 'Do editors, services and machines support the work or get in its way?',
    category_em: 'development_tools',
    statements: [
      'My machine and editor are fast enough for my work.',
      'The tools we use fit together well.',
      'I can get access to a tool or service I need without delay.',
      'When one of our tools breaks, it is repaired quickly.',
    ],
  },
} as const satisfies Record<string, SurveyTemplate>;

export type SurveyTemplateKey = keyof typeof SURVEY_TEMPLATES;
export const SURVEY_TEMPLATE_KEYS = Object.keys(SURVEY_TEMPLATES) as [SurveyTemplateKey, ...SurveyTemplateKey[]];
