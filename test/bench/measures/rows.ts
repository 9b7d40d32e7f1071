import googleSheets from '../../../adapters/spreadsheet/google-sheets/index.ts'
import { CLIENT, startGoogle } from '../../adapters/spreadsheet/google-sheets/simulator.ts'
import { inParallel, storefront } from '../../support/storefront.ts'
import { perSecond, type Row } from '../table.ts'
import { type Closers, startSubject } from '../world.ts'

const ORDERS = 5_000
const PLACED_AT_ONCE = 16
/** What Google lets one person ask. */
const QUOTA = { calls: 60, seconds: 60 }
const PATIENCE_MS = 300_000

/** Orders that stand already become rows of one sheet, as fast as its quota allows. */
export async function rowsOfSheet(outer: Closers): Promise<Row[]> {
  const google = startGoogle({ windows: [QUOTA] })
  outer.push(() => google.stop())
  const subject = await startSubject(outer, { SIMULATORS: googleSheets.net.map((host) => `${host}=${google.url}`).join(',') })
  const { ok, open } = storefront(subject.server.url)
  const { as, key, storeId } = await open()
  const base = `/v1/stores/${storeId}/integrations/google-sheets`
  const since = new Date().toISOString()
  await placeOrders(ok, key, storeId)
  await ok('PUT', base, as, { enabled: true, credentials: CLIENT })
  const { url } = await ok('GET', `/v1/oauth2/google/sheets/auth-url?storeId=${storeId}`, as)
  await consent(google.url, url)
  const asked = google.requests.length
  const began = performance.now()
  const { spreadsheetId, tabId } = await ok('POST', `${base}/create`, as, { language: 'en', since })
  const rows = () => google.tab(spreadsheetId, Number(tabId)).rows.length - 1
  while (rows() < ORDERS) {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`Of ${ORDERS} orders ${rows()} are in the sheet.`)
    await Bun.sleep(50)
  }
  const took = performance.now() - began
  const calls = google.requests.length - asked
  return [
    { what: `rows of a sheet, ${QUOTA.calls} calls a minute`, ours: perSecond((ORDERS * 1000) / took) },
    { what: `calls for ${ORDERS.toLocaleString('en')} rows`, ours: String(calls) },
    { what: 'calls beyond the quota', ours: String(google.broken()), target: '0', reached: google.broken() === 0 },
  ]
}

async function placeOrders(ok: ReturnType<typeof storefront>['ok'], key: string, storeId: string) {
  const product = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', price: 2500, initialStock: ORDERS })
  const destination = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' }
  await inParallel(Array.from({ length: ORDERS }), PLACED_AT_ONCE, (_, at) =>
    ok('POST', '/v1/orders', key, {
      storeId,
      customer: { name: `Customer ${at}`, phone: `05501${String(at).padStart(5, '0')}` },
      destination,
      items: [{ productId: product.id, quantity: 1 }],
    }),
  )
}

/** What the browser of somebody does who says yes. */
async function consent(google: string, address: string) {
  const { pathname, search } = new URL(address)
  const answer = await fetch(google + pathname + search, { redirect: 'manual' })
  await fetch(answer.headers.get('location') ?? '', { redirect: 'manual' })
}
