// The kinds of value a service setting can have. Each says in words what it accepts, so that every
// complaint about a value can say so too.
import { parseSecretKey } from '../kit/sealed-secret.ts';

export interface SettingType<T> {
  readonly accepts: string;
  /** The value that `text` stands for, or undefined when it stands for none. */
  parse(text: string): T | undefined;
}

export const integer = (least: number, most: number): SettingType<number> => ({
  accepts: `a whole number from ${least} to ${most}`,
  parse: (text) => {
    if (!/^-?\d{1,15}$/.test(text)) return undefined;
    const value = Number(text);
    return value >= least && value <= most ? value : undefined;
  },
});

const TRUE = ['true', '1', 'yes', 'on'];
const FALSE = ['false', '0', 'no', 'off'];

export const boolean = (): SettingType<boolean> => ({
  accepts: 'true or false',
  parse: (text) => (TRUE.includes(text.toLowerCase()) ? true : FALSE.includes(text.toLowerCase()) ? false : undefined),
});

/** How many proxies stand in front; `true` from the time when it could only be one. */
export const hops = (): SettingType<number> => ({
  accepts: 'the number of proxies in front, 0 to 10, or true for one',
  parse: (text) => {
    const word = text.toLowerCase();
    if (/^(?:\d|10)$/.test(word)) return Number(word);
    return TRUE.includes(word) ? 1 : FALSE.includes(word) ? 0 : undefined;
  },
});

export const oneOf = <const T extends string>(values: readonly T[]): SettingType<T> => ({
  accepts: `one of ${values.join(', ')}`,
  parse: (text) => values.find((value) => value === text.toLowerCase()),
});

export const hostName = (): SettingType<string> => ({
  accepts: 'an IP address or host name to listen on, such as 127.0.0.1 or 0.0.0.0',
  parse: (text) => (/^[A-Za-z0-9.:_-]+$/.test(text) ? text : undefined),
});

export const folder = (): SettingType<string> => ({
  accepts: 'the path of a folder',
  parse: (text) => (text === '' || text.includes('\0') ? undefined : text),
});

export const folderOrNone = (): SettingType<string> => ({
  accepts: 'the path of a folder, or nothing',
  parse: (text) => (text.includes('\0') ? undefined : text),
});

export const fileOrNone = (): SettingType<string> => ({
  accepts: 'the path of a file, or nothing',
  parse: (text) => (text.includes('\0') ? undefined : text),
});

export const url = (schemes: readonly string[]): SettingType<string | null> => ({
  accepts: `an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  parse: (text) => {
    if (!URL.canParse(text)) return undefined;
    return schemes.some((scheme) => text.toLowerCase().startsWith(`${scheme}://`)) ? text : undefined;
  },
});

export const mailbox = (): SettingType<string> => ({
  accepts: 'an e-mail address, also with a name: Strata <strata@example.org>',
  parse: (text) => (/^([^<>\r\n]* )?<?[^\s<>@]+@[^\s<>@]+>?$/.test(text) ? text : undefined),
});

/** Origins as a browser sends them: scheme, host and port, no path. */
export const origins = (): SettingType<readonly string[]> => ({
  accepts: 'a comma-separated list of origins such as https://example.org, or nothing',
  parse: (text) => {
    const list = listed(text);
    return list.every((item) => URL.canParse(item) && new URL(item).origin === item) ? Object.freeze(list) : undefined;
  },
});

/** Host names without scheme and port. */
export const hostNames = (): SettingType<readonly string[]> => ({
  accepts: 'a comma-separated list of host names such as strata.example.org, or nothing',
  parse: (text) => {
    const list = listed(text);
    return list.every((item) => /^[a-z0-9_]([a-z0-9._-]*[a-z0-9_])?$/i.test(item)) ? Object.freeze(list) : undefined;
  },
});

export const folders = (): SettingType<readonly string[]> => ({
  accepts: 'a comma-separated list of folders, or nothing',
  parse: (text) => (text.includes('\0') ? undefined : Object.freeze(listed(text))),
});

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The text is kept; whoever needs the bytes parses it again. */
export const secretKey = (): SettingType<string | null> => ({
  accepts: '32 bytes as 64 hexadecimal digits or as base64, such as openssl rand -hex 32 prints',
  parse: (text) => (parseSecretKey(text) === null ? undefined : text),
});

export interface FolderOwner {
  /** A name below the folder, or `*` for all that no other rule names. */
  readonly organization: string;
  /** Slug. */
  readonly entity: string;
}

/** Which entities the organizations of the folder of repositories belong to. */
export const folderOwners = (): SettingType<readonly FolderOwner[]> => ({
  accepts:
    'a comma-separated list of organization=entity, such as shop=acme,tools=acme,tools=globex,*=acme, or nothing',
  parse: (text) => {
    const rules: FolderOwner[] = [];
    for (const item of text.split(',').map((part) => part.trim())) {
      if (item === '') continue;
      const [, organization, entity] = /^([^=\s][^=]*)=([A-Za-z0-9][A-Za-z0-9_-]*)$/.exec(item) ?? [];
      if (organization === undefined || entity === undefined) return undefined;
      rules.push({ organization: organization.trim(), entity });
    }
    return Object.freeze(rules);
  },
});

export const passphrase = (): SettingType<string | null> => ({
  accepts: 'at least 12 characters',
  parse: (text) => (text.length >= 12 ? text : undefined),
});
