// Where the form can import from, in words: what a role may not do is not offered to it.

interface Sources {
  readonly mayUseAddresses: boolean;
  /** Those that the operator opened to this user. */
  readonly folders: readonly string[];
}

interface SourceWords {
  readonly label: string;
  readonly placeholder: string;
  readonly hint: string;
}

const OF_HOSTS = 'organization/repo of a connected host';

export const ADMINS_ONLY = `Only an admin imports from addresses and folders. Give ${OF_HOSTS}.`;

export function describeSources({ mayUseAddresses, folders }: Sources): SourceWords {
  if (!mayUseAddresses) {
    return {
      label: 'Repo of a connected host',
      placeholder: 'organization/repo',
      hint: `As ${OF_HOSTS}. An admin connects hosts, and can import from addresses.`,
    };
  }
  if (folders.length === 0) {
    return {
      label: 'Clone address',
      placeholder: 'https://host/organization/repo.git',
      hint: `An address, or ${OF_HOSTS}.`,
    };
  }
  return {
    label: 'Folder or clone address',
    placeholder: '/home/me/code/project or https://…',
    hint: `Folders below ${folders.join(', ')}, an address, or ${OF_HOSTS}.`,
  };
}
