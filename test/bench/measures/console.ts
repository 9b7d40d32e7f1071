import { bundleConsole, type ConsoleBundle } from '../../../core/console/shell/bundle.ts'
import { createSignInLink } from '../../../core/identity/codes/sign-in-link.ts'
import { chromium } from '../../support/chromium.ts'
import { openConsole } from '../../support/console.ts'
import { median } from '../figures.ts'
import { milliseconds, type Row } from '../table.ts'
import type { World } from '../world.ts'
import { orderLists } from './order-lists.ts'

/** Budgets of the console. Sizes are bytes after gzip, without fonts. */
const BUDGETS = { firstLoad: 60 * 1024, page: 30 * 1024, bundleMs: 500, keyMs: 25 } as const
const TIMES = 5
const KEYS = 20
const ORDERS = 100

const kilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
const within = (what: string, value: number, most: number, written: (value: number) => string): Row => ({
  what,
  ours: written(value),
  target: `≤ ${written(most)}`,
  reached: value <= most,
})

/** Sizes and times of the console's files, what a key costs in a browser, and the lists and the desk of a store with a million orders. */
export async function consoleBudgets(world: World): Promise<Row[]> {
  const rows = [...(await fileRows()), ...(chromium === null ? [] : await browserRows(world))]
  return [...rows, ...(await orderLists())]
}

async function fileRows(): Promise<Row[]> {
  const times: number[] = []
  let bundle = await bundleConsole({})
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now()
    bundle = await bundleConsole({})
    times.push(performance.now() - began)
  }
  const first = new Set([bundle.script, bundle.styles])
  const size = (name: string) => bundle.assets.get(name)?.gzip.length ?? 0
  // The entry imports chunks at once; each language and each page is a chunk that is loaded alone.
  const eager = [...new Set([...first, ...importedBy(bundle, bundle.script)])]
  const lazy = [...bundle.assets.keys()].filter((name) => !eager.includes(name) && !name.endsWith('.map'))
  const words = Math.max(...lazy.filter((name) => name.startsWith('index')).map(size))
  const page = Math.max(...lazy.filter((name) => !name.startsWith('index')).map(size))
  const firstLoad = eager.map(size).reduce((sum, each) => sum + each, 0) + words
  return [
    within('console: first load, one language', firstLoad, BUDGETS.firstLoad, kilobytes),
    within('console: largest chunk of a page', page, BUDGETS.page, kilobytes),
    within('console: bundle', median(times), BUDGETS.bundleMs, milliseconds),
  ]
}

/** Chunks that a file imports when it is loaded, and those that they import. */
function importedBy(bundle: Pick<ConsoleBundle, 'assets'>, name: string): string[] {
  const text = new TextDecoder().decode(bundle.assets.get(name)?.bytes)
  const direct = [...text.matchAll(/(?:from|import)\s*"\/console\/assets\/([^"]+)"/g)].map(([, found]) => found ?? '')
  return direct.flatMap((found) => [found, ...importedBy(bundle, found)])
}

async function browserRows({ server, shop, sql }: World): Promise<Row[]> {
  await writeOrders(shop)
  const { user } = await shop.client.ok('GET', '/v1/me', shop.as)
  const browser = await openConsole({ origin: server.url })
  try {
    await browser.visit(`/console/link#${await createSignInLink(sql, user.email)}`)
    await browser.click('Sign in with this link')
    await browser.wait(`location.pathname.startsWith('/console/sto_')`)
    await browser.visit(`/console/${shop.storeId}/orders`)
    await browser.wait(`document.querySelectorAll('tbody tr').length > 10`)
    await browser.view.cdp('Performance.enable')
    const before = await taskSeconds(browser)
    for (let key = 0; key < KEYS; key += 1) await browser.press('j')
    const perKey = ((await taskSeconds(browser)) - before) * (1000 / KEYS)
    return [within('console: CPU of a key in the list of orders', perKey, BUDGETS.keyMs, milliseconds)]
  } finally {
    await browser.close()
  }
}

/** Writes as many orders as a page of the list shows. */
async function writeOrders({ client, as, storeId, products }: World['shop']): Promise<void> {
  const productId = products[0]?.id
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Hydra', address: '1 rue des Oliviers', deliveryType: 'home' }
  for (let at = 0; at < ORDERS; at += 1)
    await client.ok('POST', '/v1/orders', as, {
      storeId,
      customer: { name: `Customer ${at}`, phone: `0550${String(100_000 + at)}` },
      destination,
      items: [{ productId, quantity: 1 }],
    })
}

async function taskSeconds({ view }: Awaited<ReturnType<typeof openConsole>>): Promise<number> {
  const { metrics } = await view.cdp<{ metrics: { name: string; value: number }[] }>('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
}
