import { certificates } from './certificates.ts'
import { scratchFolder } from './scratch.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Where a Chromium is on this machine; null where there is none. */
export const chromium: string | null = process.env.BUN_CHROME_PATH ?? NAMES.map((name) => Bun.which(name)).find(Boolean) ?? null

type Site = (request: Request) => Response | Promise<Response>

/** What is elsewhere: asked as the browser asks, and what it answers is handed on unread. */
export const elsewhere =
  (origin: string): Site =>
  async (request) => {
    const { pathname, search } = new URL(request.url)
    const body = request.method === 'POST' ? await request.arrayBuffer() : null
    return fetch(origin + pathname + search, {
      method: request.method,
      headers: request.headers,
      body,
      redirect: 'manual',
      decompress: false,
    })
  }

interface World {
  readonly port: number
  sites: Readonly<Record<string, Site>>
}
/** Files of tests that share a process share its browser, which is started once and knows one way into the world. */
const WORLD = Symbol.for('the world of a browser')
const kept = globalThis as { [WORLD]?: Promise<World> }

async function openWorld(): Promise<World> {
  const { of } = await certificates(await scratchFolder(), ['world'])
  const front = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: of.world!,
    fetch(request) {
      const host = request.headers.get('host') ?? ''
      return world.sites[host]?.(request) ?? new Response(`Nobody is at ${host}.`, { status: 502 })
    },
  })
  front.unref()
  const world: World = { port: front.port!, sites: {} }
  return world
}

/** A browser for which these hosts, each by https, and this machine as localhost are all of the world. */
export async function openChromium(sites: Readonly<Record<string, Site>>) {
  if (chromium === null) throw new Error('There is no Chromium here.')
  kept[WORLD] ??= openWorld()
  const world = await kept[WORLD]
  world.sites = sites
  const view = new Bun.WebView({
    width: 360,
    height: 740,
    backend: {
      type: 'chrome',
      path: chromium,
      argv: ['--no-sandbox', '--ignore-certificate-errors', `--host-resolver-rules=MAP * 127.0.0.1:${world.port}, EXCLUDE localhost`],
    },
  })
  await view.navigate('about:blank')
  return {
    view,
    /** What the page says, once it says something like this. */
    async reads(pattern: RegExp, withinMs = 30_000): Promise<string> {
      const until = performance.now() + withinMs
      let text = ''
      while (performance.now() < until) {
        text = String(await view.evaluate('document.body?.innerText ?? ""').catch(() => ''))
        if (pattern.test(text)) return text
        await Bun.sleep(50)
      }
      throw new Error(`The page never said ${pattern}, but: ${text}`)
    },
    /** Somebody else sits down: nothing is known of who was there before. */
    async forget() {
      await view.cdp('Network.clearBrowserCookies')
    },
    async speaks(acceptLanguage: string) {
      const userAgent = String(await view.evaluate('navigator.userAgent'))
      await view.cdp('Network.setUserAgentOverride', { userAgent, acceptLanguage })
    },
    /** Whether all of it can be read without moving it sideways. */
    fits: async () => Boolean(await view.evaluate('document.documentElement.scrollWidth <= innerWidth')),
    async close() {
      view.close()
      world.sites = {}
    },
  }
}
