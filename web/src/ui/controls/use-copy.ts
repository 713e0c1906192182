// Puts text on the clipboard and says so for a moment.
import { useEffect, useState } from 'react';

const SHOWN_MILLISECONDS = 1_600;

export function useCopy(): { readonly copied: string | null; readonly copy: (what: string, text: string) => void } {
  const [copied, setCopied] = useState<string | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [copied]);
  return {
    copied,
    copy: (what, text) => {
      navigator.clipboard.writeText(text).then(
        () => setCopied(`${what} copied`),
        () => setCopied('The browser does not allow copying here'),
      );
    },
  };
}
