import { afterAll, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import metaAds from '../../adapters/ads/meta/index.ts'
import googleSheets from '../../adapters/spreadsheet/google-sheets/index.ts'
import { projectIdOf } from '../../core/data/project-ids.ts'
import { type Connection, connectPool } from '../../core/data/sql.ts'
import { accountId, client as META, startMeta } from '../adapters/ads/meta/simulator.ts'
import { CLIENT as GOOGLE, startGoogle } from '../adapters/spreadsheet/google-sheets/simulator.ts'
import { connectionUrl } from '../support/database.ts'
import { insist, spawnServer } from '../support/process.ts'
import { random } from '../support/random.ts'
import { inParallel, storefront } from '../support/storefront.ts'
import { often } from '../support/thorough.ts'
import { until } from '../support/until.ts'

/** More with the variable. */
const ORDERS = Number(process.env.EXTERNAL_ORDERS ?? often({ quick: 60, thorough: 150 }))
const [TWICE, LATE, LOST] = [0.05, 0.02, 0.05]
const KILLS = often({ quick: 2, thorough: 3 })
const WIDTH = 16
const WITHIN_MS = 60_000 + ORDERS * 60
/** How long a writer has a file for itself. */
const TURN_SECONDS = 60
const SECRET = 'a secret of callbacks, long enough'

const [google, meta] = [startGoogle(), startMeta()]
const simulators = [...googleSheets.net.map((host) => [host, google.url]), ...metaAds.net.map((host) => [host, meta.url])]
const given = await connectionUrl()
const server = await spawnServer({ ...given, SIMULATORS: simulators.map((pair) => pair.join('=')).join(',') })
const connection = (): Connection =>
  given.DATABASE_URL
    ? { url: given.DATABASE_URL }
    : { socketDir: join(server.dataDir, 'postgres'), port: 5432, user: 'serai', database: 'postgres' }
afterAll(async () => {
  await server.stop()
  await Promise.all([google.stop(), meta.stop()])
})

/** What a minute brings: what is done every minute is asked for now. After a kill a dead process's turn is over, too; that of a living one never is. */
async function aMinuteLater({ killedAt = 0 } = {}) {
  const sql = connectPool(connection(), 1)
  try {
    await sql`update sheet_leases set until = now() where until <= to_timestamp(${killedAt / 1000 + TURN_SECONDS})`
    await sql`update sheet_targets set rests_until = null`
    await sql`update ads_events set due_at = now() where state = 'waiting'`
    for (const job of ['sheets.writeDue', 'ads.sendDue', 'connectors.pushStatusDue'])
      await sql`select graphile_worker.add_job(${job}, '{}'::json, job_key => ${`soon:${job}`})`
  } finally {
    await sql.end()
  }
}

const rows = <V extends object>(query: string, ...values: string[]) => {
  const sql = connectPool(connection(), 1)
  return sql.unsafe<V[]>(query, values).finally(() => sql.end())
}

async function comeBack(simulator: string, address: string) {
  const { pathname, search } = new URL(address)
  const consent = await fetch(simulator + pathname + search, { redirect: 'manual' })
  await insist(consent.headers.get('location') ?? '', { redirect: 'manual' })
}

const told = (at: number, minute: number, status = 'open') => ({
  order: {
    externalId: `x-${at}`,
    number: `#${at}`,
    status,
    currency: 'DZD',
    customer: { name: `Customer ${at}`, phone: `05501${String(at).padStart(5, '0')}` },
    address: { country: 'DZ', state: '16', city: 'Bab Ezzouar', address: '' },
    items: [{ sku: 'B', name: 'Basket', quantity: 1, unitPrice: '2500' }],
    delivery: '0',
    total: '2500',
    updatedAt: new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString(),
  },
})

/** In the order in which they come: some twice, some after what was said of them later. */
function news(): object[] {
  const below = random(7)
  const one = (at: number) => {
    const chance = below(1_000) / 1_000
    if (chance < TWICE) return [told(at, 1), told(at, 1)]
    // An older word of the same order, after the newer one.
    return chance < TWICE + LATE ? [told(at, 2), told(at, 1)] : [told(at, 1)]
  }
  return Array.from({ length: ORDERS }, (_, at) => one(at)).flat()
}

test(
  `${ORDERS} orders of a shop elsewhere, told twice, late, answers lost, and the process killed: each once here, in the sheet and at the pixel`,
  async () => {
    const { ok, open } = storefront(server.url)
    const { key, storeId, as } = await open()
    await ok('POST', '/v1/products', key, { storeId, name: 'Basket', sku: 'B', price: 2500, initialStock: ORDERS * 2 })
    const base = `/v1/stores/${storeId}/integrations`
    await ok('PUT', `${base}/google-sheets`, as, { enabled: true, credentials: GOOGLE })
    await comeBack(google.url, (await ok('GET', `/v1/oauth2/google/sheets/auth-url?storeId=${storeId}`, as)).url)
    const { spreadsheetId, tabId } = await ok('POST', `${base}/google-sheets/create`, as, { language: 'en' })
    await ok('PUT', `${base}/meta`, as, { enabled: true, credentials: META, settings: {} })
    const begun = await insist(`${server.url}/v1/social/meta/marketing/redirect?storeId=${storeId}`, {
      headers: { authorization: `Bearer ${as}` },
      redirect: 'manual',
    })
    await comeBack(meta.url, begun.headers.get('location') ?? '')
    const rules = [{ status: 'pending', event: 'Lead', pixelId: meta.book.pixelId, value: false }]
    await ok('PATCH', `${base}/meta/ads/settings`, as, { accountIds: [accountId], rules })
    const shop = await ok('POST', `${base}/connectors`, as, {
      platform: 'sandbox-shop',
      name: 'online',
      credentials: { webhookSecret: SECRET },
      settings: { orders: 0, shop: 'guests.example', skus: 'B' },
    })

    for (const one of [google, meta]) Object.assign(one.faults, { loseAnswer: LOST })
    const all = news()
    let taken = 0
    const killing = (async () => {
      for (let kill = 1; kill <= KILLS; kill += 1) {
        await until(() => taken > (all.length * kill) / (KILLS + 2), WITHIN_MS)
        await server.kill()
        const killedAt = Date.now()
        await server.start()
        await aMinuteLater({ killedAt })
      }
    })()
    const address = server.url + new URL(shop.webhookUrl).pathname
    await inParallel(all, WIDTH, async (one) => {
      const body = JSON.stringify(one)
      const headers = { 'content-type': 'application/json', 'x-sandbox-signature': createHmac('sha256', SECRET).update(body).digest('hex') }
      // A shop that had no answer tells it again.
      const { status } = await insist(address, { method: 'POST', headers, body })
      expect(status).toBe(200)
      taken += 1
    })
    await killing

    const ours = () =>
      rows<{ id: string; external: string }>(
        "select id, metadata ->> 'channelOrder' as external from orders where project_id = $1",
        projectIdOf(storeId),
      )
    await until(async () => (await ours()).length >= ORDERS, WITHIN_MS)
    for (const one of [google, meta]) one.calm()
    const sheet = () =>
      google
        .tab(spreadsheetId, Number(tabId))
        .rows.slice(1)
        .map(([cell]) => String(cell?.value))
    // What is sent again after its answer was lost has the same name, by which Meta counts it once.
    const counted = () => [...new Set(meta.book.events.map(({ id }) => id))]
    await until(async () => {
      await aMinuteLater()
      return sheet().length >= ORDERS && counted().length >= ORDERS
    }, WITHIN_MS)
    await aMinuteLater()
    await Bun.sleep(2_000)

    const orders = await ours()
    const ids = orders.map(({ id }) => id).sort()
    expect(orders.map(({ external }) => external).sort()).toEqual(Array.from({ length: ORDERS }, (_, at) => `#${at}`).sort())
    expect(sheet().sort()).toEqual(ids)
    expect(counted().sort()).toEqual(ids.map((id) => `order-${id}`).sort())
    const [stock] = await rows<{ reserved: string }>(
      'select sum(reserved) as reserved from inventory_balances b join stores s on s.project_id = b.project_id where s.id = $1',
      storeId,
    )
    expect(Number(stock?.reserved)).toBe(ORDERS)
  },
  WITHIN_MS * 3,
)
