// Texts that hide an error or a warning instead of dealing with it, by family of languages: an empty handler, a bare one,
// a result that is thrown away, a remark that silences a checker. What stands on one line alone can be seen. A blank stands
// for any number of blanks, a star for whatever holds no opening brace.

const SILENCED_CHECKS = ['nolint', 'NOLINT', 'noinspection', 'swiftlint:disable'] as const;

export const C_MASKS: readonly string[] = [
  'catch*{ }',
  '@ts-ignore',
  '@ts-nocheck',
  '@ts-expect-error',
  'eslint-disable',
  'biome-ignore',
  'tslint:disable',
  '@SuppressWarnings',
  '@Suppress(',
  '#[allow(',
  '#![allow(',
  '#pragma warning disable',
  '_ = err',
  'let _ =',
  ...SILENCED_CHECKS,
];
export const PHP_MASKS: readonly string[] = [
  'catch*{ }',
  '@phpstan-ignore',
  'phpcs:ignore',
  'phpcs:disable',
  '@psalm-suppress',
  ...SILENCED_CHECKS,
];
export const PYTHON_MASKS: readonly string[] = [
  'except :',
  'except*: pass',
  'contextlib.suppress(',
  '# noqa',
  'type: ignore',
  'pylint: disable',
  'pyright: ignore',
];
export const RUBY_MASKS: readonly string[] = [
  'rescue nil',
  'rescue Exception',
  'rubocop:disable',
  '## no critic',
  '# nolint',
];
export const SHELL_MASKS: readonly string[] = [
  '|| true',
  '|| :',
  'shellcheck disable',
  '-ErrorAction SilentlyContinue',
];
