// One scenario per rule of the operations. The expected operation of every line is written by hand in
// front of it; see marked-diff.ts for the marks.
import { describe, expect, test } from 'vitest';
import { createClassifier } from '../../../src/engine/judge/classify-commit.ts';
import { markedText, parseMarkedDiff } from './marked-diff.ts';

const classifier = createClassifier();

const SCENARIOS: Record<string, string> = {
  'a line that is new is added': `
= src/a.py
a+total = price * amount
`,
  'a line that is gone is deleted': `
= src/a.py
d-total = price * amount
`,
  'a line that changed only its indentation is a no-op on both sides': `
= src/a.py
n-total = price
n+    total = price
`,
  'a line that changed only its spacing or its line ending is a no-op': `
= src/a.c
n-if(a==b){
n-  run(a,b);
n+if (a == b) {
n+  run(a, b);\r
`,
  'blank lines are no-ops': `
= src/a.py
n-  \t
n+
n+   
`,
  'a line that only changed its place within one hunk is a no-op': `
= src/a.py
n-alpha_value = 1
d-gone_forever(with_something, more)
n-beta_value = 2
n+beta_value = 2
n+alpha_value = 1
`,
  'a block of two lines taken to another hunk is moved': `
= src/a.py
@ 10 10
m-a = 1
m-b = 2
@ 90 88
m+a = 1
m+b = 2
`,
  'a block taken to another file is moved, whatever its indentation': `
= src/a.js
m-  open();
m-  close();
= src/b.js
m+open();
m+close();
`,
  'a single short line found elsewhere is not moved': `
= src/a.js
d-return a;
= src/b.js
a+return a;
`,
  'a single line of twenty characters is moved': `
= src/a.js
m-return aaaaaaaaaaaaaa;
= src/b.js
m+return aaaaaaaaaaaaaa;
`,
  'two closing brackets are no block to move': `
= src/a.js
d-}
d-}
= src/b.js
a+}
a+}
`,
  'a moved block goes on over blank lines': `
= src/a.js
m-one();
n-
m-two();
= src/b.js
m+one();
n+
m+two();
`,
  'a removed line moves once; a second added one is a copy': `
= src/a.js
m-const connection = openConnection();
= src/b.js
m+const connection = openConnection();
= src/c.js
c+const connection = openConnection();
`,
  'the longer of two possible origins is taken': `
= src/a.js
d-first(1);
d-unrelated words of another kind
= src/b.js
m-first(1);
m-second(2);
= src/c.js
m+first(1);
m+second(2);
`,
  'the same word swapped on three lines is find and replace': `
= src/a.js
@ 10 10
r-oldName(1, alpha);
r+newName(1, alpha);
@ 20 20
r-const x = oldName(2);
r+const x = newName(2);
@ 30 30
r-return oldName(three, four);
r+return newName(three, four);
`,
  'the same word swapped on two lines is an update of each': `
= src/a.js
@ 10 10
u-oldName(1, alpha);
u+newName(1, alpha);
@ 20 20
u-const x = oldName(2);
u+const x = newName(2);
`,
  'a replacement counts across files and with several on one line': `
= src/a.js
r-plus(color, color);
r+plus(colour, colour);
= src/b.js
r-let color = 5;
r+let colour = 5;
= src/c.js
r-use(color);
r+use(colour);
`,
  'text swapped inside longer words is find and replace': `
= src/a.py
@ 10 10
r-use(config_production_a)
r+use(config_staging_a)
@ 20 20
r-use(config_production_bb)
r+use(config_staging_bb)
@ 30 30
r-use(config_production_ccc)
r+use(config_staging_ccc)
`,
  'a prefix taken off three strings is find and replace': `
= src/a.py
@ 10 10
r-name = u'first'
r+name = 'first'
@ 20 20
r-title = u'second'
r+title = 'second'
@ 30 30
r-label = u'third'
r+label = 'third'
`,
  'something put in on three lines replaces nothing: updates': `
= src/a.js
@ 10 10
u-run(alpha, beta)
u+run(alpha, beta);
@ 20 20
u-stop(gamma, delta)
u+stop(gamma, delta);
@ 30 30
u-wait(epsilon, zeta)
u+wait(epsilon, zeta);
`,
  'text added twice is a copy the second time': `
= src/a.js new
a+const limit = computeLimit(input);
a+something.else(entirely);
c+const limit = computeLimit(input);
`,
  'a short line added twice is added twice': `
= src/a.js new
a+i++; x();
a+i++; x();
`,
  'keywords and brackets are never copies': `
= src/a.js new
a+} else if (((((((
a+} else if (((((((
`,
  'a line that is a copy is not an update, and its neighbour is deleted': `
= src/a.js
@ 10 10
a+const options = readOptions(argv);
@ 40 41
d-const options = readOptions(args);
c+const options = readOptions(argv);
`,
  'a line with three words or fewer changed is updated': `
= src/a.py
u-return compute(first, second, third, fourth)
u+return compute(first, second, third, fifth, sixth)
`,
  'a line with most words changed is deleted and added': `
= src/a.py
d-return compute(first, second)
a+raise ValueError("nothing to see here, move along")
`,
  'an update pairs each line once, in order': `
= src/a.py
u-alpha = load(one, two)
d-print("something that is gone without any trace")
u-gamma = load(five, six)
u+alpha = load(one, three)
u+gamma = load(five, seven)
a+from nowhere import everything
`,
  'one word swapped on a short line is an update': `
= src/a.py
u-return first
u+return second
`,
  'lines do not pair across hunks': `
= src/a.py
@ 10 10
d-alpha = load(one, two)
@ 40 39
a+alpha = load(one, three)
`,
  'lines of a deleted file are deleted': `
= src/a.py gone
d-import os
d-print(os.name)
`,
};

describe('the operation of every line', () => {
  for (const [name, diff] of Object.entries(SCENARIOS)) {
    test(name, () => {
      const { commit, marked } = parseMarkedDiff(diff);
      const classified = classifier.classify(commit, { attributes: null });
      expect(markedText(commit, classified)).toEqual(marked);
    });
  }
});
