// One snippet per language; each `>>` line is asked about, and the comment after it gives what is expected:
// function, container. The marks are taken out before asking.
import { describe, expect, it } from 'vitest';
import { findScope } from '../../../src/engine/scopes/find-scope.ts';

interface Snippet {
  readonly path: string;
  readonly code: string;
  /** Documentation of the function around the first marked line. */
  readonly doc?: string | null;
}

const SNIPPETS: readonly Snippet[] = [
  {
    path: 'lib/response.js',
    code: `
var res = Object.create(http.ServerResponse.prototype)

/**
 * Send a response.
 *
 * @param {string} body
 */
res.send = function send(body) {
  var chunk = body;
  switch (typeof chunk) {
    case 'string':
      if (!this.get('Content-Type')) {
        this.type('html');  //>> send, res
      }
      break;
  }

  return this;  //>> send, res
};  //>> send, res
//>> -, -
function tryRender(view, options, callback) {
  try {
    view.render(options, callback);
  } catch (err) {
    callback(err);  //>> tryRender, -
  }
}
module.exports.compile = (path) => {
  return path.map((part) => {
    return part.trim();  //>> compile, -
  });
};
`,
    doc: 'Send a response.\n\n@param {string} body',
  },
  {
    path: 'src/reply.ts',
    code: `
export class Reply<T> extends Base implements Sink {
  #sent = false;  //>> -, Reply

  /** Sends once. */
  @once()
  async send(
    payload: T,
    options: SendOptions = {},
  ): Promise<void> {
    if (this.#sent) {
      throw new Error(\`sent
twice\`);  //>> send, Reply
    }
    await this.write(payload);  //>> send, Reply
  }

  private readonly onClose = (code: number): void => {
    this.#sent = code > 0;  //>> onClose, Reply
  };

  static get [Symbol.species]() { return Reply; }
}

export const buildRoutes = async (app: App): Promise<Route[]> => {
  const routes = app.routes();
  return routes.filter((route) => route.ready);  //>> buildRoutes, -
};

interface Options {
  depth: number;  //>> -, Options
}
`,
    doc: 'Sends once.',
  },
  {
    path: 'django/db/models/query.py',
    code: `
class QuerySet(AltersData):
    """Represent a lazy database lookup."""

    def __init__(self, model=None):
        self.model = model  #>> __init__, QuerySet

    @property
    def query(self):  #>> query, QuerySet
        if self._deferred_filter:
            negate, args, kwargs = self._deferred_filter

            self._filter_or_exclude_inplace(negate, args, kwargs)  #>> query, QuerySet
        return self._query

    def raw(
        self,
        raw_query,
    ):
        """
        Return a RawQuerySet.

            indented example
        """
        sql = """
SELECT 1
"""  #>> raw, QuerySet
        return RawQuerySet(sql)  #>> raw, QuerySet


def get_related(instances):
    async def inner():
        await instances  #>> inner, -
    return inner  #>> get_related, -

REPR_OUTPUT_SIZE = 20  #>> -, -
`,
  },
  {
    path: 'src/main/java/org/example/UserService.java',
    code: `
package org.example;

@Service
public class UserService extends BaseService<User> {
    private static final int LIMIT = 10;  //>> -, UserService

    public UserService(UserRepository repository) {
        this.repository = repository;  //>> UserService, UserService
    }

    /**
     * Finds active users.
     */
    @Override
    @Transactional(readOnly = true)
    public List<Map<String, User>> findActive(final int page, String name)
            throws DataAccessException {
        for (User user : repository.findAll()) {
            if (user.isActive()) {
                result.add(user);  //>> findActive, UserService
            }
        }
        return result;
    }

    private enum State {
        OPEN,  //>> -, State
    }
}
`,
  },
  {
    path: 'Services/OrderService.cs',
    code: `
namespace Shop.Services
{
    public sealed class OrderService : IOrderService
    {
        /// <summary>
        /// Places an order.
        /// </summary>
        [HttpPost("orders")]
        public async Task<Order> PlaceAsync(OrderRequest request, CancellationToken token)
        {
            if (request == null)
            {
                throw new ArgumentNullException(nameof(request));  //>> PlaceAsync, OrderService
            }

            return await _store.SaveAsync(request, token);  //>> PlaceAsync, OrderService
        }

        public int Count { get; set; }

        public decimal Total =>
            _lines.Sum(line => line.Price);  //>> Total, OrderService
    }
}
`,
    doc: '<summary>\nPlaces an order.\n</summary>',
  },
  {
    path: 'src/strbuf.c',
    code: `
#include "strbuf.h"

/*
 * Grows the buffer.
 */
static void strbuf_grow(struct strbuf *sb, size_t extra)
{
	int new_buf = !sb->alloc;
#ifdef DEBUG
	trace(sb);  //>> strbuf_grow, -
#endif
	if (unsigned_add_overflows(extra, 1))
		goto out;
	ALLOC_GROW(sb->buf, sb->len + extra + 1, sb->alloc);  //>> strbuf_grow, -
out:
	return;  //>> strbuf_grow, -
}

int
main(int argc, char **argv)
{
	return run(argc, argv);  //>> main, -
}

struct point {
	int x;  //>> -, point
};
`,
    doc: null,
  },
  {
    path: 'src/parser.cpp',
    code: `
namespace json {

template <typename T>
class Parser : public Base<T> {
 public:
  explicit Parser(std::string text) : text_(std::move(text)) {
    pos_ = 0;  //>> Parser, Parser
  }

  int depth() const { return depth_; }  //>> depth, Parser

 private:
  int pos_;  //>> -, Parser
};

// Reads one value.
Value Parser::ReadValue(const Options& options) {
  while (pos_ < text_.size()) {
    Advance();  //>> ReadValue, Parser
  }
  return value_;
}

}  // namespace json
`,
  },
  {
    path: 'cmd/server.go',
    code: `
package main

// Server serves.
type Server struct {
	addr string  //>> -, Server
}

// Listen starts the server
// and blocks.
func (s *Server) Listen(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()  //>> Listen, Server
		}
	}
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)  //>> main, -
	}
}
`,
  },
  {
    path: 'src/reader.rs',
    code: `
/// Reads bytes.
pub struct Reader<'a> {
    bytes: &'a [u8],  //>> -, Reader
}

impl<'a, R: Read> Iterator for Lines<'a, R>
where
    R: Clone,
{
    type Item = String;  //>> -, Lines

    /// The next line.
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.read() {
            Ok(line) => Some(line),  //>> next, Lines
            Err(_) => None,
        }
    }
}

pub(crate) async fn open<P>(path: P) -> io::Result<File>
where
    P: AsRef<Path>,
{
    File::open(path).await  //>> open, -
}

#[cfg(test)]
mod tests {
    use super::*;  //>> -, tests
}
`,
  },
  {
    path: 'app/models/user.rb',
    code: `
module Accounts
  class User < ApplicationRecord
    has_many :posts  #>> -, User

    # Full name for display.
    def full_name
      [first_name, last_name].compact.map do |part|
        part.strip  #>> full_name, User
      end.join(' ')  #>> full_name, User
    end

    def self.active?
      where(active: true)  #>> active?, User
    end
  end
end
`,
    doc: null,
  },
  {
    path: 'src/Controller/HomeController.php',
    code: `<?php

namespace App\\Controller;

final class HomeController extends AbstractController
{
    private const LIMIT = 10;  //>> -, HomeController

    /**
     * Shows the page.
     */
    #[Route('/', name: 'home')]
    public function index(Request $request): Response
    {
        foreach ($items as $item) {
            $item->touch();  //>> index, HomeController
        }
        return $this->render('home.html.twig');  //>> index, HomeController
    }
}
`,
  },
  {
    path: 'Sources/Store.swift',
    code: `
public final class Store: ObservableObject {
    @Published var items: [Item] = []  //>> -, Store

    /// Loads items.
    public func load(from url: URL) async throws -> [Item] {
        guard let data = try? Data(contentsOf: url) else {
            return []  //>> load, Store
        }
        return try decode(data)
    }

    init(items: [Item]) {
        self.items = items  //>> init, Store
    }
}

extension Store {
    var isEmpty: Bool {
        items.isEmpty  //>> isEmpty, Store
    }
}
`,
  },
  {
    path: 'src/main/kotlin/Repo.kt',
    code: `
data class Page(val number: Int)

class Repo(private val db: Database) : Source {
    /**
     * Loads a page.
     */
    @Throws(IOException::class)
    override suspend fun load(page: Page): List<Item> {
        return db.query { row ->
            Item(row)  //>> load, Repo
        }
    }

    companion object Factory {
        fun create(): Repo = Repo(Database())  //>> create, Factory
    }
}
`,
    doc: 'Loads a page.',
  },
  {
    path: 'src/main/scala/Parser.scala',
    code: `
object Parser extends App {
  /** Parses. */
  private[core] def parse(input: String): Either[Error, Ast] = {
    input.split(",").map { part =>
      part.trim  //>> parse, Parser
    }
  }
}

sealed trait Ast {
  def size: Int  //>> size, Ast
}
`,
    doc: 'Parses.',
  },
  {
    path: 'scripts/release.sh',
    code: `#!/bin/sh
set -e  #>> -, -

# Publishes the package.
publish() {
  if [ -n "$1" ]; then
    npm publish --tag "$1"  #>> publish, -
  fi
}

publish "$@"  #>> -, -
`,
    doc: null,
  },
];

const MARK = /\s*(?:\/\/|#)>> (\S+), (\S+)\s*$/;

function readSnippet({ code }: Snippet) {
  const lines = code.split('\n');
  const asked = lines.flatMap((line, lineIndex) => {
    const match = MARK.exec(line);
    if (match === null) return [];
    const text = line.replace(MARK, '');
    return [{ lineIndex, text, functionName: dash(match[1]!), container: dash(match[2]!) }];
  });
  const clean = lines.map((line) => line.replace(MARK, ''));
  return { asked, source: sourceOf(clean) };
}

const sourceOf = (lines: readonly string[]) => ({
  count: lines.length,
  head: (count: number) => lines.slice(0, count),
});

const dash = (text: string): string | null => (text === '-' ? null : text);

const TESTING: Snippet = {
  path: 'test/app.test.js',
  code: `
describe('app', function () {
  it('works', async () => {
    const app = createApp(
      options,  //>> -, -
    );
    expect(
      app.name,  //>> -, -
    ).toBe('x');
    useEffect(() => {
      run();  //>> -, -
    });
  });
});
`,
};

describe('the scope around a line', () => {
  it('is not a call that takes a function', () => {
    const { asked, source } = readSnippet(TESTING);
    for (const { lineIndex } of asked) expect(findScope(TESTING.path, source, lineIndex).functionName).toBeNull();
  });

  for (const snippet of SNIPPETS) {
    it(`is found in ${snippet.path}`, () => {
      const { asked, source } = readSnippet(snippet);
      expect(asked.length).toBeGreaterThan(0);
      const found = asked.map(({ lineIndex, text }) => {
        const { functionName, container } = findScope(snippet.path, source, lineIndex);
        return { lineIndex, text, functionName, container };
      });
      expect(found).toEqual(asked);
    });
    if (snippet.doc != null) {
      it(`comes with its documentation in ${snippet.path}`, () => {
        const { asked, source } = readSnippet(snippet);
        const docs = asked.map(({ lineIndex }) => findScope(snippet.path, source, lineIndex).documentation);
        expect(docs.find((doc) => doc !== null)).toBe(snippet.doc);
      });
    }
  }

  it('covers the fifteen most used languages', () => {
    expect(new Set(SNIPPETS.map(({ path }) => path.replace(/^.*\./, ''))).size).toBeGreaterThanOrEqual(15);
  });

  it('reads a doc string that starts on the line after its quotes', () => {
    const lines = ['def f(', '    a,', '):', '    """', '    Adds.', '', '        more', '    """', '    return a'];
    const scope = findScope('a.py', sourceOf(lines), 8);
    expect(scope).toEqual({ functionName: 'f', container: null, documentation: 'Adds.\n\n    more' });
  });

  it('counts a doc comment as part of the function that follows it', () => {
    const lines = ['/**', ' * Sends.', ' */', 'function send() {', '}'];
    const source = sourceOf(lines);
    expect(findScope('a.js', source, 1).functionName).toBe('send');
  });

  it('reaches a doc block across one blank line, but not another comment', () => {
    const lines = [
      '/**',
      ' * Sends.',
      ' */',
      '',
      'function send() {',
      '}',
      '/* aside */',
      '',
      'function other() {',
      '}',
    ];
    expect(findScope('a.js', sourceOf(lines), 1)).toEqual({
      functionName: 'send',
      container: null,
      documentation: 'Sends.',
    });
    expect(findScope('a.js', sourceOf(lines), 9)).toEqual({
      functionName: 'other',
      container: null,
      documentation: null,
    });
  });

  it('is empty for a language without rules and beyond the end of the file', () => {
    const source = sourceOf(['function f() {']);
    const nothing = { functionName: null, container: null, documentation: null };
    expect(findScope('notes.txt', source, 0)).toEqual(nothing);
    expect(findScope('a.js', source, 5)).toEqual(nothing);
  });

  it('answers in time on hostile lines', () => {
    const hostile = [
      '('.repeat(400),
      'a'.repeat(400),
      '<'.repeat(400),
      `${'a '.repeat(200)}(`,
      '\t'.repeat(400),
      '____ '.repeat(80),
      '`"\'/*'.repeat(80),
    ];
    const lines = Array.from(
      { length: 5000 },
      (_, index) => ' '.repeat(5000 - index).slice(0, 90) + hostile[index % hostile.length],
    );
    const source = sourceOf(lines);
    for (const path of [
      'a.js',
      'a.py',
      'a.java',
      'a.cs',
      'a.cpp',
      'a.go',
      'a.rs',
      'a.rb',
      'a.php',
      'a.swift',
      'a.kt',
      'a.scala',
      'a.sh',
    ]) {
      const startedAt = performance.now();
      findScope(path, source, lines.length - 1);
      expect(performance.now() - startedAt).toBeLessThan(5000);
    }
  });
});
