import { Elysia } from 'elysia'
import type { Context } from '../../context.ts'
import { acceptsGzip } from '../../http/compression.ts'
import type { MountedRoute } from '../../http/openapi/operation.ts'
import { memoize } from '../../lib/async/memoize.ts'
import { ASSETS_PATH, type Asset, bundleConsole } from './bundle.ts'
import { fontFiles } from './fonts.ts'
import { ICON, PAGE_HEADERS, pageOf } from './page.ts'
import { listRights } from './rights.ts'

const FOREVER = 'public, max-age=31536000, immutable'
const hidden = { detail: { hide: true } } as const
const absent = () =>
  new Response('Not found.', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' } })

/**
 * Routes of the console's page and files. `/` leads to `/console`, except on the domain of a store. Every path of the console answers with
 * the page. The browser code is bundled at the first request. `routes` returns all routes of the application, from which the rights of the
 * console come.
 */
export function consolePages(context: Context, routes: () => readonly MountedRoute[]) {
  const app = new Elysia({ name: 'console-pages' })
  if (!context.config.console) return app
  const bundle = memoize(() => bundleConsole(listRights(routes())))
  const page = async () => new Response(pageOf(await bundle()), { headers: PAGE_HEADERS })
  return app
    .get('/', async ({ request }) => ((await isStorefront(context, request)) ? absent() : toConsole()), hidden)
    .get('/console', page, hidden)
    .get('/console/*', page, hidden)
    .get(`${ASSETS_PATH}:name`, async ({ params, request }) => assetResponse((await bundle()).assets.get(params.name), request), hidden)
    .get('/console/fonts/:name', ({ params }) => fontResponse(params.name), hidden)
    .get('/console/icon.svg', () => new Response(ICON, { headers: { 'content-type': 'image/svg+xml', 'cache-control': FOREVER } }), hidden)
}

const toConsole = () => new Response(null, { status: 302, headers: { location: '/console', 'cache-control': 'no-cache' } })

/** Returns true on the domain of a store: its visitors look for the shop, and not for the sign-in of those who work there. */
async function isStorefront({ config, provenHosts }: Context, request: Request): Promise<boolean> {
  const host = new URL(request.url).hostname.replace(/\.$/, '')
  if (config.publicUrl !== undefined && host === new URL(config.publicUrl).hostname) return false
  return provenHosts.isProven(host)
}

function assetResponse(asset: Asset | undefined, request: Request): Response {
  if (!asset) return absent()
  const headers = { 'content-type': asset.type, 'cache-control': FOREVER, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' }
  if (!acceptsGzip(request.headers.get('accept-encoding'))) return new Response(asset.bytes, { headers })
  return new Response(asset.gzip, { headers: { ...headers, 'content-encoding': 'gzip' } })
}

function fontResponse(name: string): Response {
  const path = fontFiles.get(name)
  if (path === undefined) return absent()
  return new Response(Bun.file(path), { headers: { 'content-type': 'font/woff2', 'cache-control': FOREVER } })
}
