// The way out to the sign-in. The page is loaded anew, so that nothing of the session stays in it.

let isLeaving = false;

/**
 * Once: a page asks several calls at a time, and all are refused when the session is over. A second way out would break
 * off the first, and after a sign-out it would say that the session had ended.
 */
export function leaveTo(link: string): void {
  if (isLeaving) return;
  isLeaving = true;
  location.replace(link);
}
