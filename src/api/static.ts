// The dashboard's page, from memory: index.html at every address of the page, and the files it loads. The files are
// read once at the start; what the build did not compress is compressed then.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { PassThrough } from 'node:stream';
import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from './door/cookies.ts';
import { isKnown, tagOf } from './etag.ts';
import type { StartData } from './pages/start-data.ts';
import { APP_POLICY } from './security-headers.ts';

/** Addresses that show the page. The page itself decides what it shows there. */
export const PAGE_ADDRESSES = ['/', '/sign-in', '/sign-in/*', '/invitation', '/e/*'] as const;
const THEME_COOKIE = 'strata_theme';
const THEMES = ['light', 'dark'] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
};
const PACKED = ['.br', '.gz'];
/** Quick, for what the build did not compress: the start must not wait for the last percent. */
const BROTLI_QUALITY = 5;
/** Quick too: the browser waits for it. */
const DATA_LEVEL = 3;

interface Served {
  readonly type: string;
  readonly tag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
  /** Its name changes with its content. */
  readonly isImmutable: boolean;
}

/** Path from the site's root → file; the index once for each theme. */
export interface StaticPage {
  readonly files: ReadonlyMap<string, Served>;
  readonly index: ReadonlyMap<string, Served>;
}

/** Null where the page was not built. */
export function readStaticPage(folder: string): StaticPage | null {
  const indexFile = join(folder, 'index.html');
  if (!existsSync(indexFile)) return null;
  const files = new Map<string, Served>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const address = `/${relative(folder, path).split(sep).join('/')}`;
    const extension = extname(entry.name);
    // The build's own notes begin with a dot.
    if (!entry.isFile() || /\/\./.test(address) || PACKED.includes(extension) || path === indexFile) continue;
    files.set(address, serve(path, readFileSync(path), TYPES[extension] ?? 'application/octet-stream', address));
  }
  const html = readFileSync(indexFile, 'utf8');
  const themed = (theme: string) => html.replace('<html lang="en">', `<html lang="en" data-theme="${theme}">`);
  const index = new Map(
    ['', ...THEMES].map((theme) => [
      theme,
      serve(null, Buffer.from(theme === '' ? html : themed(theme)), TYPES['.html']!, '/'),
    ]),
  );
  return { files, index };
}

function serve(path: string | null, plain: Buffer, type: string, address: string): Served {
  const packed = (ending: string, make: () => Buffer): Buffer =>
    path !== null && existsSync(path + ending) ? readFileSync(path + ending) : make();
  return {
    type,
    tag: tagOf(plain),
    plain,
    br: packed('.br', () =>
      brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    ),
    gzip: packed('.gz', () => gzipSync(plain)),
    isImmutable: address.startsWith('/assets/'),
  };
}

interface PageParts {
  readonly page: StaticPage | null;
  readonly startData: StartData;
}

/** Whether somebody reads the answer in a browser; programs that follow an address of the API want its errors. */
export const isVisit = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'GET' && !url.startsWith('/api/') && (headers.accept ?? '').includes('text/html');

/** Gives what shows the page at an address that is none of its own: it says so. */
export function addStaticPage(
  server: FastifyInstance,
  { page, startData }: PageParts,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const showPage = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    reply.header('content-security-policy', APP_POLICY);
    if (page === null) return reply.code(503).type(TYPES['.html']!).send(NOT_BUILT);
    const theme = THEMES.find((each) => each === readCookie(request.headers.cookie, THEME_COOKIE)) ?? '';
    reply.header('vary', 'accept-encoding, cookie');
    const index = page.index.get(theme)!;
    const data = startData(request);
    return data === null ? send(request, reply, index) : sendWithData(request, reply, index, data);
  };
  for (const address of PAGE_ADDRESSES) server.get(address, showPage);
  for (const [address, file] of page?.files ?? []) {
    server.get(address, (request, reply) => send(request, reply.header('vary', 'accept-encoding'), file));
  }
  return showPage;
}

function send(request: FastifyRequest, reply: FastifyReply, file: Served): FastifyReply {
  const { tag, type, isImmutable } = file;
  reply.headers({ etag: tag, 'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache' });
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  const accepted = request.headers['accept-encoding'] ?? '';
  const encoding = /\bbr\b/i.test(accepted) ? 'br' : /\bgzip\b/i.test(accepted) ? 'gzip' : 'plain';
  reply.headers({ 'content-type': type, 'content-encoding': encoding === 'plain' ? 'identity' : encoding });
  return reply.send(file[encoding]);
}

const BODY_END = '</body>';
/** Elements of this kind are never run, so the policy allows them; what would end the element is escaped. */
const dataBlock = (json: string): string =>
  json === '' ? '' : `<script type="application/json" id="start-data">${json.replaceAll('<', '\\u003c')}</script>`;

/** The page goes out at once, so that the browser fetches its files while the data is read. Nobody keeps the answer. */
function sendWithData(
  request: FastifyRequest,
  reply: FastifyReply,
  { plain, type }: Served,
  data: Promise<string>,
): FastifyReply {
  const html = plain.toString();
  const end = html.includes(BODY_END) ? html.lastIndexOf(BODY_END) : html.length;
  const isPacked = /\bgzip\b/i.test(request.headers['accept-encoding'] ?? '');
  const body = isPacked ? createGzip({ level: DATA_LEVEL }) : new PassThrough();
  reply.headers({
    'content-type': type,
    'content-encoding': isPacked ? 'gzip' : 'identity',
    'cache-control': 'no-store',
  });
  body.write(html.slice(0, end));
  if ('flush' in body) body.flush();
  void data.then((json) => body.end(dataBlock(json) + html.slice(end)));
  return reply.send(body);
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Strata</title></head>
<body>
<h1>The page is not built</h1>
<p>This server has no files of the dashboard. <code>npm run build</code> makes them; the API and its
<a href="/docs">documentation</a> work without.</p>
</body>
</html>
`;
