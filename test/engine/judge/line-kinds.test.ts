// What each line is, language by language. The expected kind stands in front of the line: C code,
// N nothing (blank, brackets, bare keyword), M comment, D doc comment.
import { describe, expect, test } from 'vitest';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import { DOC_COMMENT_BIT, fileColumn, UNSCORED_BIT } from '../../../src/engine/model/classified.ts';
import { commitDiff, fileDiff } from './marked-diff.ts';

const classifier = createClassifier();

const SCENARIOS: Record<string, { path: string; lines: string; from?: number }> = {
  'C-like line and block comments': {
    path: 'a.js',
    lines: `
M // why this is so
C const a = 1; // trailing
M /* one line */
M /* opened
M    and going on
M    closed */
C run(a);
N }
N } else {
N return;`,
  },
  'a JSDoc block is a doc comment': {
    path: 'a.ts',
    lines: `
D /**
D  * Adds.
D  */
C export function add(a, b) {`,
  },
  'a star continues a block that was opened above, further down in a file': {
    path: 'A.java',
    from: 200,
    lines: `
D * @param name the name
C void call(String name) {`,
  },
  'a star in the first lines of a file is its licence': {
    path: 'A.java',
    from: 3,
    lines: `
M * Licensed under something`,
  },
  'the first lines of a file are twenty': {
    path: 'A.java',
    from: 19,
    lines: `
M * the twentieth line
D * the next`,
  },
  'a pointer is no comment': { path: 'a.c', from: 90, lines: 'C *target = value;' },
  'a block comment that ends without having begun reaches back': {
    path: 'a.c',
    from: 90,
    lines: `
M some words of explanation
M and the last of them */
C int a = 1;`,
  },
  'a comment directly above a definition documents it': {
    path: 'a.go',
    lines: `
D // Add adds.
D // It does no more.
C func Add(a, b int) int {
M // ad hoc
C return a + b`,
  },
  'Rust doc lines': { path: 'a.rs', lines: 'D /// Adds.\nD //! The module.\nM // ad hoc\nC let a = 1;' },
  'Python docstrings on one line and on several': {
    path: 'a.py',
    lines: `
C def f():
D """Does it."""
C return compute(1)
C def g():
D r"""
D Does something else.
D
D """
C return compute(2)
M # ad hoc`,
  },
  'a Python docstring that ends without having begun reaches back': {
    path: 'a.py',
    from: 40,
    lines: `
D of the explanation
D """
C value = 3`,
  },
  'a long Python string that is a value is code': {
    path: 'a.py',
    lines: `
C query = """
C SELECT name FROM table
C """
C run(query)`,
  },
  'shell and YAML comments': { path: 'a.yml', lines: 'M # note\nC key: value' },
  'SQL comments': { path: 'a.sql', lines: 'M -- note\nC SELECT name FROM users' },
  'HTML comments': { path: 'a.html', lines: 'M <!-- note\nM more -->\nC <p>text</p>' },
  'prose has no comments': { path: 'a.md', lines: 'C # Heading\nC // text' },
  'Ruby ends and begins': { path: 'a.rb', lines: 'N begin\nC work(1)\nN end\nD # Doc.\nC def work(a)' },
  'bare keywords of several languages': { path: 'a.py', lines: 'N pass\nN try:\nN else:\nN finally:\nC pass_on = 1' },
};

describe('the kind of every line', () => {
  for (const [name, { path, lines, from = 30 }] of Object.entries(SCENARIOS)) {
    test(name, () => {
      const expected = lines.split('\n').filter((line) => line !== '');
      const added = expected.map((line) => line.slice(2));
      const commit = commitDiff([fileDiff(path, path, [{ oldIndex: from, newIndex: from, removed: [], added }])]);
      const { addedOps } = classifier.classify(commit, { attributes: null });
      const kinds = added.map((text, i) => {
        const bits = addedOps[i]!;
        if ((bits & DOC_COMMENT_BIT) !== 0) return 'D';
        if ((bits & UNSCORED_BIT) === 0) return 'C';
        return /^[\s{}()[\];]*$|^[^\w]*(else|return|begin|end|pass|try|finally)\W*$/.test(text) ? 'N' : 'M';
      });
      expect(kinds.map((kind, i) => `${kind} ${added[i]}`.trim())).toEqual(
        // A blank line inside a doc comment is a no-op, of no kind.
        expected.map((line) => (line.trim() === 'D' ? 'N' : line.trim())),
      );
    });
  }
});

test('what another file ends in says nothing about the quotes in this one', () => {
  const opened = ['', '"""', 'value = call(1)'];
  const kindsAfter = (text: string) => {
    const first = fileDiff('a.py', 'a.py', [{ oldIndex: 30, newIndex: 30, removed: [], added: [text] }]);
    const second = fileDiff('b.py', 'b.py', [{ oldIndex: 30, newIndex: 30, removed: [], added: opened }]);
    const { addedOps } = classifier.classify(commitDiff([first, second]), { attributes: null });
    return [...addedOps.subarray(1)].map((bits) => bits & (DOC_COMMENT_BIT | UNSCORED_BIT));
  };
  expect(kindsAfter('some text:')).toEqual(kindsAfter('some text'));
});

describe('lines that hide errors', () => {
  const count = (path: string, ...added: string[]) => {
    const commit = commitDiff([fileDiff(path, path, [{ oldIndex: 30, newIndex: 30, removed: [], added }])]);
    return fileColumn(classifier.classify(commit, { attributes: null }), 0, 'error_masks');
  };
  const HIDING: [string, string][] = [
    ['a.ts', '} catch (error) { }'],
    ['a.ts', '} catch {}'],
    ['a.js', 'await stop().catch(() => {});'],
    ['a.ts', '// @ts-expect-error later'],
    ['a.js', '/* eslint-disable no-console */'],
    ['a.go', '\t_ = err'],
    ['a.go', 'x := y //nolint:errcheck'],
    ['a.rs', '    let _ = send(value);'],
    ['a.rs', '#[allow(dead_code)]'],
    ['A.java', '@SuppressWarnings("unchecked")'],
    ['a.py', '    except:'],
    ['a.py', '    except ValueError: pass'],
    ['a.py', 'import os  # noqa: F401'],
    ['a.py', 'x = y()  # type: ignore'],
    ['a.rb', 'value = compute rescue nil'],
    ['a.sh', 'rm -f x || true'],
    ['a.php', '} catch (Exception $e) {}'],
  ];
  for (const [path, text] of HIDING) {
    test(`${path}: ${text.trim()}`, () => {
      expect(count(path, text)).toBe(1);
    });
  }
  const HONEST: [string, string][] = [
    ['a.ts', '} catch (error) { report(error); }'],
    ['a.ts', 'const empty = {};'],
    ['a.ts', 'const catcher = { map: {} };'],
    ['a.py', '    except ValueError:'],
    ['a.py', 'x = {}'],
    ['a.rb', 'rescue KeyError => error'],
    ['a.md', '} catch (error) {}'],
    ['a.sh', 'test -n "$x" || exit 1'],
  ];
  for (const [path, text] of HONEST) {
    test(`not ${path}: ${text.trim()}`, () => {
      expect(count(path, text)).toBe(0);
    });
  }

  test('counts lines, once each', () => {
    expect(
      count('a.ts', 'try { a() } catch {} try { b() } catch {} // eslint-disable-line', 'run()', 'y.catch(() => {})'),
    ).toBe(2);
  });
});

describe('calls', () => {
  const count = (path: string, added: string[]) => {
    const commit = commitDiff([fileDiff(path, path, [{ oldIndex: 30, newIndex: 30, removed: [], added }])]);
    return fileColumn(classifier.classify(commit, { attributes: null }), 0, 'calls');
  };
  const CALLS: [string, number][] = [
    ['run(a, b)', 1],
    ['a.run(b.get(1), c(2)(3))', 3],
    ['if (a) {', 0],
    ['while(run()) {', 1],
    ['def compute(a, b):', 0],
    ['function compute(a) { return other(a); }', 1],
    ['func (s *Server) Start(ctx) {', 1],
    ['return (a + b)', 0],
    ['x = (1, 2)', 0],
    ['', 0],
    ['(((((', 0],
  ];
  for (const [text, calls] of CALLS) {
    test(`${JSON.stringify(text)} has ${calls}`, () => {
      expect(count('a.js', [text])).toBe(calls);
    });
  }

  test('calls count on added, copied and updated code, not in prose, comments or moved lines', () => {
    expect(count('a.py', ['run(a)', '# run(b)', 'go(c)'])).toBe(2);
    const block = Array.from(
      { length: 8 },
      (_, n) => `    result_${n} = compute_the_value_of(first_argument_${n}, second_argument)`,
    );
    const added = [...block, 'rest = 1', ...block];
    const commit = commitDiff([fileDiff('a.py', 'a.py', [{ oldIndex: 30, newIndex: 30, removed: [], added }])]);
    const classified = classifier.classify(commit, { attributes: null });
    expect(fileColumn(classified, 0, 'lines_copy_pasted')).toBe(8);
    expect(fileColumn(classified, 0, 'calls')).toBe(16);
    expect(count('a.md', ['run(a)'])).toBe(0);
  });
});
