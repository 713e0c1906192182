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
  'a block indented anew stays in place when it goes past fewer unchanged lines than it has': `
= src/a.py
@ 10 10
n-open(1)
n-read(2)
@ 13 11
a+if is_ready:
n+    open(1)
n+    read(2)
`,
  'a block indented anew is moved when it goes past as many unchanged lines as it has': `
= src/a.py
@ 10 10
m-open(1)
m-read(2)
@ 14 12
a+if is_ready:
m+    open(1)
m+    read(2)
`,
  'blocks that go between the same hunks stay in place together': `
= src/a.py
@ 10 10
n-open(1)
n-read(2)
d-something(else_entirely, "of another kind")
n-write(3)
n-close(4)
@ 18 13
a+if is_ready:
n+    open(1)
n+    read(2)
a+    now_for_some_thing_completely_different
n+    write(3)
n+    close(4)
`,
  'a block that goes up past fewer unchanged lines stays in place': `
= src/a.py
@ 10 10
a+while is_ready:
n+    open(1)
n+    read(2)
@ 11 14
n-open(1)
n-read(2)
`,
  'a block at the same place of another file is moved': `
= src/a.py
@ 10 10
m-open(1)
m-read(2)
= src/b.py
@ 10 10
m+open(1)
m+read(2)
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
m-const connection = openConnection(settings.address, settings.port, timeoutSeconds);
= src/b.js
m+const connection = openConnection(settings.address, settings.port, timeoutSeconds);
= src/c.js
c+const connection = openConnection(settings.address, settings.port, timeoutSeconds);
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
  'the same put in on three lines is find and replace': `
= src/a.js
@ 10 10
r-run(alpha, beta)
r+run(alpha, beta);
@ 20 20
r-stop(gamma, delta)
r+stop(gamma, delta);
@ 30 30
r-wait(epsilon, zeta)
r+wait(epsilon, zeta);
`,
  'the same put in on two lines is an update of each': `
= src/a.js
@ 10 10
u-run(alpha, beta)
u+run(alpha, beta);
@ 20 20
u-stop(gamma, delta)
u+stop(gamma, delta);
`,
  'a word put in before a word that begins alike is the same insertion': `
= src/a.js
@ 10 10
r-const one = first(alpha);
r+const one = await first(alpha);
@ 20 20
r-const two = another(beta);
r+const two = await another(beta);
@ 30 30
r-third(gamma);
r+await third(gamma);
`,
  'the same taken away on three lines is find and replace, at several places of a line too': `
= src/a.py
@ 10 10
r-total = self.price * self.amount
r+total = price * amount
@ 20 20
r-rest = self.total - self.paid
r+rest = total - paid
@ 30 30
r-print(self.rest, self.name)
r+print(rest, name)
`,
  'other quotes on three lines are find and replace': `
= src/a.js
@ 10 10
r-const a = 'first thing';
r+const a = "first thing";
@ 20 20
r-const b = 'second one';
r+const b = "second one";
@ 30 30
r-const c = 'third';
r+const c = "third";
`,
  'a sweep over imports is find and replace, though its lines repeat one another': `
= src/a.ts
r-import { h } from 'vue/runtime'
r+import { h } from '@vue/runtime'
= src/b.ts
r-import { h } from 'vue/runtime'
r+import { h } from '@vue/runtime'
= src/c.ts
r-import { h } from 'vue/runtime'
r+import { h } from '@vue/runtime'
`,
  'a line that holds the other whole is an update, however much came with it': `
= src/a.py
@ 10 10
u-value = compute(first)
u+value = compute(first) if first is not None and second not in known else fallback(third, fourth)
@ 20 20
u-if isinstance(node, ast.Name) and node.id in names and not node.ctx: names.discard(node.id)
u+names.discard(node.id)
`,
  'a line that has too little text is not found again in another': `
= src/a.py
d-abc
a+print(abc, once, more, and, again)
`,
  'lines that were only broken anew are no-ops': `
= src/a.py
n-value = compute(first, second, third)
n+value = compute(
n+    first,
n+    second, third)
`,
  'three lines added twice are copies the second time': `
= src/a.js new
a+const limit = computeLimit(input);
a+const rest = input.slice(limit);
a+process(rest, limit, Date.now());
a+something.else(entirely);
c+const limit = computeLimit(input);
n+
c+const rest = input.slice(limit);
c+process(rest, limit, Date.now());
`,
  'two lines added twice are no copies': `
= src/a.js new
a+const limit = computeLimit(input);
a+const rest = input.slice(limit);
a+something.else(entirely);
a+const limit = computeLimit(input);
a+const rest = input.slice(limit);
`,
  'a long line added twice is a copy the second time': `
= src/a.js new
a+throw new Error('The file could not be read because nobody has put it where it belongs');
a+something.else(entirely);
c+throw new Error('The file could not be read because nobody has put it where it belongs');
`,
  'a call that a commit makes three times is an idiom': `
= src/a.js new
a+t.assert.deepStrictEqual(JSON.parse(response.payload), { hello: 'world', status: 200 });
a+one(alpha);
a+t.assert.deepStrictEqual(JSON.parse(response.payload), { hello: 'world', status: 200 });
a+two(beta);
a+t.assert.deepStrictEqual(JSON.parse(response.payload), { hello: 'world', status: 200 });
`,
  'the head of a prototype and of its definition are no copies': `
= src/a.c new
a+static int read_all_records(const struct source *from, struct record **records,
a+        size_t *count);
a+static int read_all_records(const struct source *from, struct record **records,
a+        size_t *count) {
`,
  'what files need is no copy': `
= src/a.py new
a+from django.core.exceptions import ImproperlyConfigured, ObjectDoesNotExist
a+from django.utils.translation import gettext_lazy
a+from django.conf import settings
= src/b.py new
a+from django.core.exceptions import ImproperlyConfigured, ObjectDoesNotExist
a+from django.utils.translation import gettext_lazy
a+from django.conf import settings
`,
  'data repeats itself by nature': `
= data/a.json new
a+  "type": "object", "additionalProperties": false,
a+  "properties": { "name": { "type": "string" } },
a+  "required": ["name", "address", "telephone"]
a+  "type": "object", "additionalProperties": false,
a+  "properties": { "name": { "type": "string" } },
a+  "required": ["name", "address", "telephone"]
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
  'a line that pairs is an update, also when its text is added elsewhere': `
= src/a.js
@ 10 10
a+const options = readOptions(argv, process.env, { isStrict: true, maxLength: 100 });
@ 40 41
u-const options = readOptions(args, process.env, { isStrict: true, maxLength: 100 });
u+const options = readOptions(argv, process.env, { isStrict: true, maxLength: 100 });
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
