// Tags as public repositories have them.
import { expect, it } from 'vitest';
import { RELEASE_TAG_PATTERN } from '../../../src/domain/repos/release-tags.ts';

const isRelease = (tag: string): boolean => new RegExp(RELEASE_TAG_PATTERN, 'u').test(tag);

it.each([
  ['express, django', ['v5.2.1', '0.0.2', '1.0.1', '4.2rc1', '5.0a1']],
  ['junit5', ['r5.0.0', 'r5.0.0-M1', 'r6.0.0-RC2', 'r5.11.0-ALPHA']],
  ['gin, flask, gemini', ['v0.2b', '0.10', 'v0.9.0-preview.4']],
  [
    'other habits',
    ['V1.2', 'release-1.4.0', 'release/2.0', 'rel_1.2', 'version-3.1', 'release-v1.2.3', '1.0.0+build.5', '2.0.post1'],
  ],
])('takes versions for releases: %s', (_, tags) => {
  expect(tags.filter((tag) => !isRelease(tag))).toEqual([]);
});

it('does not take other tags for releases', () => {
  const others = [
    // moving tags, and tags of one package of several
    'latest',
    'v1',
    'early-access',
    '@continuedev/config-yaml@1.0.94',
    'python-sdk-v0.1.1',
    'winget-test-rust-v0.106.0-alpha.9',
    // no versions
    'prototype-1',
    'stable/5.1.x',
    'zed-eom',
    '2024-05-01',
    'report5.1',
    'nightly-2024.05.01',
    'r5',
  ];
  expect(others.filter(isRelease)).toEqual([]);
});
