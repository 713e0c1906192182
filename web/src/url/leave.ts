// The way out to the sign-in. The page is loaded anew, so that nothing of the session stays in it.

/** Still here then, it was kept from leaving, as by Esc or Back: whatever is refused next leaves again. */
const LEAVING_MS = 10_000;
let isLeaving = false;

/** Once: a page asks several calls at a time, all are refused when the session is over, and a second way out would break off the first. */
export function leaveTo(link: string): void {
  if (isLeaving) return;
  isLeaving = true;
  setTimeout(() => {
    isLeaving = false;
  }, LEAVING_MS);
  location.replace(link);
}
