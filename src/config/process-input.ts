// What the running process gives the configuration. The only place that reads the environment.
import type { ConfigInput } from './load-config.ts';

export const processInput = (flags: ConfigInput['flags'], packageFolder: string): ConfigInput => ({
  environment: process.env,
  flags,
  platform: process.platform,
  workingFolder: process.cwd(),
  packageFolder,
});
