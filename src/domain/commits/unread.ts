// Why what a commit changed is not known: the repository lacks it, or git cannot show it. What is too large to be looked at is not
// among these: that is a limit of ours, which does not go away.

/** Of the reasons in `skipped_commits`. */
export const UNREAD_REASONS = ['object_missing', 'unreadable'] as const;
