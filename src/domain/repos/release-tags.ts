// Which tags are releases, unless a setting says otherwise.
export const RELEASE_TAG_PATTERN = '^v?\\d+(\\.\\d+){1,3}([-+.].*)?$';
