// Which tags are releases, unless a setting says otherwise: a version of two to four numbers, after `v`, `r` or a word for
// release, and with or without what marks a build or a release before the release (`-rc.1`, `+build.5`, `rc1`, `b2`).
export const RELEASE_TAG_PATTERN =
  '^(v|V|r|R|[Rr]el(ease)?[-_/.]?v?|[Vv]ersion[-_/.]?)?\\d+(\\.\\d+){1,3}((a|b|c|rc|alpha|beta|pre|post|p|M)\\d*)?([-+.].*)?$';
