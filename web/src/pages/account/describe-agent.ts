// A browser's user agent in three words.

const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

export function describeAgent(agent: string | null): string {
  const browser = BROWSERS.find(([sign]) => sign.test(agent ?? ''))?.[1];
  const system = SYSTEMS.find(([sign]) => sign.test(agent ?? ''))?.[1];
  if (browser === undefined) return agent === null || agent === '' ? 'Unknown browser' : agent.slice(0, 60);
  return system === undefined ? browser : `${browser} on ${system}`;
}
