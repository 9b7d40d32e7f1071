import { afterAll, describe, expect, test } from 'bun:test'
import googleSheets from '../../../adapters/spreadsheet/google-sheets/index.ts'
import { pullOrders, requestDuePulls } from '../../../core/connectors/shops/orders/pull-orders.ts'
import { requestDueStatusPushes } from '../../../core/connectors/shops/stock/push-status.ts'
import { invariant } from '../../../core/lib/invariant.ts'
import type { Grid, Tab } from '../../adapters/spreadsheet/google-sheets/books.ts'
import { CLIENT, startGoogle } from '../../adapters/spreadsheet/google-sheets/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const google = startGoogle()
afterAll(() => google.stop())
const app = await startApp({ simulators: Object.fromEntries(googleSheets.net.map((host) => [host, google.url])) }, { socket: true })
const { call, ok, context } = app
const { sql } = context
const admin = await app.person('The administrator')
await ok('PUT', '/v1/platform/integrations/google-sheets', { as: admin.token, body: { enabled: true, credentials: CLIENT } })
// A minute's quota is not what is tried here.
Object.assign(invariant(context.plugins.find('spreadsheet', 'google-sheets'), 'The adapter').adapter, { rateWindows: [] })

const HEADERS = ['Name', 'Phone', 'State', 'City', 'Product', 'Qty', 'Total', 'Status']

/** A store whose people have signed in at Google for its orders, with a sheet that somebody keeps by hand. */
async function rowShop({
  language = 'en',
  headers = HEADERS,
  rows = [] as string[][],
  existing = false,
  configured = true,
  grid = undefined as Grid | undefined,
} = {}) {
  const { storeId, owner, key } = await app.shop()
  const as = owner.token
  const base = `/v1/stores/${storeId}/integrations/connectors`
  const { data: product } = await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: 'Basket', sku: 'B', price: 2500, initialStock: 1000 },
  })
  /** As its owner does in a browser. */
  async function connect() {
    const asked = new URL((await ok('GET', `${base}/google-sheets/install-url`, { as })).data.url)
    const back = (await fetch(google.url + asked.pathname + asked.search, { redirect: 'manual' })).headers.get('location') ?? ''
    await fetch(back)
    return (await ok('GET', base, { as })).data
  }
  const listed = await connect()
  let [{ id }] = listed
  let at = `${base}/${id}`
  async function connectAgain() {
    expect((await call('DELETE', at, { as })).status).toBe(204)
    ;[{ id }] = await connect()
    at = `${base}/${id}`
  }
  const book = google.make('By hand', [headers, ...rows])
  const tab = google.tab(book.id)
  if (grid) tab.grid = grid
  const configure = (body: object = {}) =>
    call('POST', `${at}/google-sheets/configure`, { as, body: { spreadsheetId: book.id, tabId: '0', language, existing, ...body } })
  const read = async () => (await ok('GET', base, { as })).data[0]
  /** All rows are read now, and what came of them was said. */
  async function settled() {
    await until(async () => (await hurry()) && ['done', 'failed'].includes((await read()).pull.status))
    await sql`update connectors set next_pull_at = now() where connection_id = ${id}`
    await requestDuePulls(context)
    await until(async () => (await hurry()) && ['done', 'failed'].includes((await read()).pull.status))
    await requestDueStatusPushes(context)
    await until(async () => {
      await hurry()
      const [row] = await sql<{ left: number }[]>`select count(*)::int as left from graphile_worker.jobs
        where task_identifier in ('connectors.importPending', 'connectors.pushStatus', 'connectors.pull', 'sheets.write')`
      return row?.left === 0
    })
    return (await read()).pull
  }
  const write = (...cells: string[][]) => tab.rows.push(...cells.map((row) => row.map((value) => (value === '' ? undefined : { value }))))
  const orders = async () => (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })).data
  const seen = () => seenIn(tab)
  if (configured) {
    expect((await configure()).status).toBe(200)
    await settled()
  }
  return { storeId, as, key, base, at, id, listed, book, tab, product, configure, connectAgain, read, settled, write, orders, seen }
}

/** What people see, by the header above each cell. */
function seenIn(tab: Tab): Record<string, string | number>[] {
  const [headers = [], ...rows] = tab.rows.map((row) => Array.from(row, (cell) => cell?.value ?? ''))
  return rows.map((row) => Object.fromEntries(headers.map((header, at) => [header, row[at] ?? ''])))
}
/** What is tried again later is tried now. */
const hurry = () => sql`update graphile_worker._private_jobs j set run_at = now() from graphile_worker._private_tasks t
  where t.id = j.task_id and t.identifier = 'connectors.pull' and j.run_at > now() and j.locked_at is null`
const lina = ['Lina', '0550123456', 'Alger', 'Bab Ezzouar', 'Basket', '2', '5 400 DA']

describe('a sheet is connected', () => {
  test('found, made, looked into, and set up, once its owner signed in', async () => {
    const { as, at, listed, book, read } = await rowShop({ configured: false })
    expect(listed).toMatchObject([{ platform: 'google-sheets', webhookUrl: null, shop: null, pull: { status: 'idle' } }])
    const sheets = `${at}/google-sheets/spreadsheets`
    expect((await ok('GET', sheets, { as })).data).toContainEqual(expect.objectContaining({ id: book.id }))
    const made = await call('POST', sheets, { as, body: { title: 'Commandes', language: 'fr' } })
    expect([made.status, made.body.data.name]).toEqual([201, 'Commandes'])
    const { data: tabs } = await ok('GET', `${sheets}/${made.body.data.id}/tabs`, { as })
    expect(tabs).toMatchObject([{ title: 'Orders' }])
    const { data: headers } = await ok('GET', `${sheets}/${made.body.data.id}/sheets/Orders/headers`, { as })
    expect(headers.recognised.map(({ field }: { field: string }) => field)).toContain('phone')
    expect((await call('GET', `${sheets}/${made.body.data.id}/sheets/None/headers`, { as })).status).toBe(400)
    const { data: source } = await ok('POST', `${at}/google-sheets/configure`, {
      as,
      body: { spreadsheetId: made.body.data.id, sheetName: 'Orders', language: 'fr' },
    })
    expect(source).toMatchObject({ nameHeader: 'ID ligne', stateHeader: 'Suivi commande', language: 'fr' })
    const mapped = source.columns.filter(({ field }: { field: string }) => field !== 'note')
    expect((await ok('POST', `${at}/google-sheets/field-mapping`, { as, body: { columns: mapped } })).data.columns).toEqual(mapped)
    await until(async () => (await read()).pull.status === 'done')
  })

  test('what is lacking is said', async () => {
    const { as, at, key, configure, settled, book } = await rowShop({ configured: false, headers: ['Name', 'Product'] })
    expect((await configure()).body.error).toMatchObject({ code: 'invalid_request', details: [{ path: '/body/columns' }] })
    expect((await configure({ columns: [{ header: 'Nowhere', field: 'phone' }] })).status).toBe(400)
    expect((await configure({ tabId: '7' })).status).toBe(404)
    expect((await call('POST', `${at}/google-sheets/configure`, { as, body: { pageId: '1', forms: [{ formId: '1' }] } })).status).toBe(400)
    expect((await call('GET', `${at}/google-sheets/pages`, { as })).status).toBe(404)
    expect((await call('POST', `${at}/google-sheets/reconfigure`, { as, body: {} })).status).toBe(404)
    expect((await call('GET', `${at}/meta-leads/spreadsheets`, { as })).status).toBe(404)
    expect((await call('POST', `${at}/google-sheets/configure`, { as: key, body: { spreadsheetId: book.id, tabId: '0' } })).status).toBe(
      400,
    )
    await ok('POST', `${at}/pull`, { as })
    await until(async () => (await ok('GET', at.slice(0, at.lastIndexOf('/')), { as })).data[0].pull.status === 'failed')
    expect((await ok('GET', at.slice(0, at.lastIndexOf('/')), { as })).data[0].pull.message).toContain('configure')
    await settled()
  })

  test('one tab takes orders or gives them, and a connection goes when neither is left', async () => {
    const { storeId, as, at, base, book, configure } = await rowShop()
    const orders = `/v1/stores/${storeId}/integrations/google-sheets`
    const both = await call('POST', `${orders}/configure`, { as, body: { spreadsheetId: book.id, tabId: '0' } })
    expect([both.status, both.body.error.code]).toEqual([409, 'conflict'])
    const other = google.make('Orders go here')
    await ok('POST', `${orders}/configure`, { as, body: { spreadsheetId: other.id, tabId: '0' } })
    expect(
      (
        await configure({
          spreadsheetId: other.id,
          columns: [
            { header: 'الهاتف', field: 'phone' },
            { header: 'المنتجات', field: 'products' },
          ],
        })
      ).status,
    ).toBe(409)
    expect((await call('DELETE', at, { as })).status).toBe(204)
    expect((await ok('GET', base, { as })).data).toEqual([])
    expect((await ok('GET', orders, { as })).data.state).toBe('connected')
    // The connection that is there is taken, and goes with the last that needs it.
    const again = await call('POST', base, { as, body: { platform: 'google-sheets', credentials: {} } })
    expect([again.status, again.body.data.id]).toEqual([201, at.split('/').at(-1)!])
    await ok('DELETE', `${orders}/configure`, { as })
    expect((await call('DELETE', at, { as })).status).toBe(204)
    expect((await call('GET', orders, { as })).status).toBe(404)
  })

  test('set up anew while it is read: the reading goes on in the new tab, and the old one is left', async () => {
    const { write, settled, orders, configure } = await rowShop()
    const other = google.make('Another', [HEADERS])
    write(lina)
    let changed: Promise<unknown> | undefined
    google.state.beforeUpdate = () => {
      changed = configure({ spreadsheetId: other.id })
    }
    await settled()
    await changed
    await settled()
    write(['Late', '0660123456', 'Alger', '', 'Basket'])
    google.tab(other.id).rows.push(['Nour', '0770123456', 'Oran', '', 'Basket'].map((value) => ({ value })))
    await settled()
    const names = (await orders()).map((one: { customer: { name: string } }) => one.customer.name)
    expect(names).toContain('Nour')
    expect(names).not.toContain('Late')
  })
})

describe('a sheet is connected again', () => {
  const named = ({ customer }: { customer: { name: string } }) => customer.name

  test.each([false, true])('its rows are the orders that they were, and go on; existing: %p', async (existing) => {
    const shop = await rowShop({ rows: [lina, ['Nour', '0770123456', 'Oran', '', 'Basket']], existing: true })
    const { key, write, orders, settled, seen, configure, connectAgain } = shop
    const before = await orders()
    expect(before).toHaveLength(2)
    await connectAgain()
    write(['Amel', '0660123456', 'Alger', '', 'Basket'])
    expect((await configure({ existing })).status).toBe(200)
    await settled()
    expect((await orders()).map(named).toSorted()).toEqual(existing ? ['Amel', 'Lina', 'Nour'] : ['Lina', 'Nour'])
    await ok('PATCH', `/v1/orders/${before[0].id}`, { as: key, body: { status: 'confirmed' } })
    write(['Late', '0660123457', 'Alger', '', 'Basket'])
    await settled()
    expect(await orders()).toHaveLength(existing ? 4 : 3)
    expect(seen().find(({ Name }) => Name === named(before[0]))!['Order state']).toBe('Confirmed')
    expect((await shop.read()).orders.taken).toBe(existing ? 4 : 3)
  })

  test('goods that somebody said what they are need not be said again', async () => {
    const { key, as, base, product, write, orders, settled, configure, connectAgain, read } = await rowShop()
    write(['Lina', '0550123456', 'Alger', '', 'Panier'])
    await settled()
    const inbox = async () => (await ok('GET', `${base}/${(await read()).id}/inbox`, { as })).data
    const [goods] = await inbox()
    await ok('POST', `${base}/${(await read()).id}/inbox/${goods.id}/match`, { as, body: { productId: product.id } })
    await settled()
    await connectAgain()
    expect((await configure()).status).toBe(200)
    write(['Nour', '0770123456', 'Oran', '', 'Panier'])
    await settled()
    expect((await orders()).map(named).toSorted()).toEqual(['Lina', 'Nour'])
    expect((await ok('GET', `/v1/orders?storeId=${product.storeId}&limit=1`, { as: key })).data).toHaveLength(1)
  })

  test('in another language: the columns that it has stay the server’s own', async () => {
    const { configure, orders, settled, seen, tab, connectAgain } = await rowShop({ language: 'fr', rows: [lina], existing: true })
    const same = await configure({ language: 'en', existing: true })
    expect(same.body.data).toMatchObject({ language: 'en', nameHeader: 'ID ligne', stateHeader: 'Suivi commande' })
    await settled()
    expect(await orders()).toHaveLength(1)
    await connectAgain()
    expect((await configure({ language: 'ar', existing: true })).body.data).toMatchObject({ language: 'ar', nameHeader: 'ID ligne' })
    await settled()
    expect(await orders()).toHaveLength(1)
    expect(tab.rows[0]!.map((cell) => cell?.value)).toEqual([...HEADERS, 'ID ligne', 'Suivi commande'])
    expect(Object.keys(seen()[0]!)).toHaveLength(HEADERS.length + 2)
  })

  test('names of before that are none of its orders are left alone, unless they are asked for', async () => {
    const headers = [...HEADERS, 'Row ID']
    const rows = [
      [...lina, '', 'row_00000000000000000000000001'],
      ['Nour', '0770123456', 'Oran', '', 'Basket', '', '', '', 'mine'],
    ]
    const left = await rowShop({ headers, rows })
    left.write(['Amel', '0660123456', 'Alger', '', 'Basket'])
    await left.settled()
    expect((await left.orders()).map(named)).toEqual(['Amel'])
    expect(left.seen()[0]).toMatchObject({ 'Row ID': 'row_00000000000000000000000001', 'Order state': '' })
    const taken = await rowShop({ headers, rows, existing: true })
    expect((await taken.orders()).map(named)).toEqual(['Lina'])
  })
})

describe('a tab of Google’s ends somewhere', () => {
  const old = (count: number) =>
    Array.from({ length: count }, (_, at) => [`C${at}`, `05501${String(at).padStart(5, '0')}`, '', '', 'Basket'])

  test.each([
    [80, { rows: 81, columns: HEADERS.length }],
    [930, { rows: 1000, columns: 26 }],
  ])(
    'with %p rows in it',
    async (count, grid) => {
      const { write, settled, orders, seen } = await rowShop({ rows: old(count), grid })
      write(lina)
      expect(await settled()).toMatchObject({ status: 'done', message: null })
      expect((await orders()).map(({ customer }: { customer: { name: string } }) => customer.name)).toEqual(['Lina'])
      expect(seen().at(-1)).toMatchObject({ Name: 'Lina', 'Order state': 'Received' })
    },
    120_000,
  )
})

describe('a row', () => {
  test('is understood under the headers that people give, and its amount is one or none', async () => {
    const headers = ['Prénom', 'Nom', 'N° téléphone', 'Wilaya', 'Commune', 'Nom du produit', 'Qté', 'Montant (DA)']
    const { write, settled, orders, seen } = await rowShop({ headers })
    const rest = ['0550123456', 'Alger', 'Hydra', 'Basket', '1']
    write(['Lina', 'Saadi', ...rest, '2 500 DA'], ['Nour', 'Amrani', ...rest, '2500 + 400 livraison'])
    await settled()
    expect(await orders()).toMatchObject([
      { customer: { name: 'Lina Saadi' }, destination: { stateCode: '16', cityName: 'Hydra' }, totals: { total: 2500 } },
    ])
    expect(seen()[1]!['Order state']).toBe('⚠ An amount cannot be read: "2500 + 400 livraison"')
  })

  test('becomes an order once, at its amount, and says what became of it', async () => {
    const { write, settled, orders, seen, key, tab } = await rowShop()
    write(lina)
    await settled()
    const [made, ...others] = await orders()
    expect(others).toEqual([])
    expect(made).toMatchObject({
      customer: { name: 'Lina', phone: '+213550123456' },
      destination: { stateCode: '16', cityName: 'Bab Ezzouar' },
      items: [{ name: 'Basket', quantity: 2, unitPrice: 2700 }],
      totals: { total: 5400 },
      metadata: { channel: 'google-sheets' },
    })
    expect(seen()).toMatchObject([{ Name: 'Lina', 'Order state': 'Received', 'Row ID': expect.stringMatching(/^row_/) }])
    await ok('PATCH', `/v1/orders/${made.id}`, { as: key, body: { status: 'confirmed' } })
    tab.rows.splice(1, 0, [{ value: 'a title of mine' }])
    await settled()
    await settled()
    expect(await orders()).toHaveLength(1)
    expect(seen()[1]).toMatchObject({ 'Order state': 'Confirmed' })
  })

  test('has no apostrophe of a spreadsheet before its numbers, and waits with its cells as what was sent', async () => {
    const { write, settled, orders, at, as } = await rowShop()
    write(['Lina', "'0550123456", "'16", 'Hydra', 'Basket', "'2", "'5 000"], ['Nour', '', 'Alger', 'Hydra', 'Basket'])
    await settled()
    expect(await orders()).toMatchObject([
      { customer: { phone: '+213550123456' }, destination: { stateCode: '16' }, items: [{ quantity: 2 }], totals: { total: 5000 } },
    ])
    const { data } = await ok('GET', `${at}/orders?state=waiting`, { as })
    expect(data).toMatchObject([{ why: 'phone', raw: { customerName: 'Nour', state: 'Alger', products: 'Basket' } }])
  })

  test('without an amount is priced by the catalogue; several products stand in one cell', async () => {
    const { write, settled, orders, seen } = await rowShop()
    write(['Amel', '0660123456', 'Alger', '', '3 x Basket'], ['Nour', '0770123456', 'Oran', '', 'Basket; 2 × Basket'])
    await settled()
    const made = (await orders()).toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1))
    expect(made.map((one: { totals: { subtotal: number } }) => one.totals.subtotal)).toEqual([7500, 7500])
    expect(seen().map((row) => row['Order state'])).toEqual(['Received', 'Received'])
  })

  test('that stood there before is left alone, unless that is asked for', async () => {
    const old = [
      ['Old', '0550000001', '', '', 'Basket'],
      ['Older', '0550000002', '', '', 'Basket'],
    ]
    const left = await rowShop({ rows: old })
    left.write(lina)
    await left.settled()
    expect((await left.orders()).map((one: { customer: { name: string } }) => one.customer.name)).toEqual(['Lina'])
    expect(left.seen()[0]).toMatchObject({ 'Row ID': expect.stringMatching(/^old_/), 'Order state': '' })
    const taken = await rowShop({ rows: old, existing: true })
    expect(await taken.orders()).toHaveLength(2)
  })

  test('that cannot be read, or waits for somebody, says why in the language of its sheet', async () => {
    const { write, settled, orders, seen, tab, at, as, product } = await rowShop({ language: 'fr' })
    write(
      ['A', '0550000001', 'Alger', '', ''],
      ['B', '0550000002', 'Alger', '', 'Basket', 'deux'],
      ['C', '0550000003', 'Alger', '', 'Basket; Basket', '', '100'],
      ['D', '', 'Alger', '', 'Basket'],
      ['E', '0550000005', 'Alger', '', 'Chapeau'],
      ['F', '12', 'Alger', '', 'Basket'],
      ['G', '0550000007', 'Alger', '', 'Basket', '2000'],
    )
    await settled()
    expect(seen().map((row) => row['Suivi commande'])).toEqual([
      '⚠ Aucun produit n’est indiqué',
      '⚠ La quantité n’est pas un nombre: "deux"',
      '⚠ Plusieurs produits pour un seul montant : une ligne par produit, ou laissez le montant vide',
      '⚠ Le numéro de téléphone manque ou est incorrect',
      '⚠ Produit inconnu : indiquez-le dans la boîte de réception',
      '⚠ Le numéro de téléphone manque ou est incorrect',
      '⚠ Stock insuffisant',
    ])
    expect(await orders()).toEqual([])
    tab.rows[1]![4] = { value: 'Basket' }
    tab.rows[4]![1] = { value: '0550000004' }
    const {
      data: [goods],
    } = await ok('GET', `${at}/inbox`, { as })
    await ok('POST', `${at}/inbox/${goods.id}/match`, { as, body: { productId: product.id } })
    await settled()
    expect(seen().map((row) => row['Suivi commande'])).toEqual([
      'Reçue',
      expect.stringContaining('quantité'),
      expect.stringContaining('produits'),
      'Reçue',
      'Reçue',
      expect.stringContaining('téléphone'),
      expect.stringContaining('Stock'),
    ])
    expect(await orders()).toHaveLength(3)
  })

  test('that its sheet does not let be written is refused alone', async () => {
    const { write, settled, orders, seen, key, id } = await rowShop()
    const names = Array.from({ length: 40 }, (_, at) => `Customer ${at + 1}`)
    write(...names.map((name) => [name, ...lina.slice(1)]))
    await settled()
    expect(new Set(seen().map((row) => row['Order state']))).toEqual(new Set(['Received']))
    for (const { id: orderId } of await orders()) await ok('PATCH', `/v1/orders/${orderId}`, { as: key, body: { status: 'confirmed' } })
    Object.assign(google.state, { refused: 17, updates: 0 })
    await settled()
    const stale = seen().filter((row) => row['Order state'] !== 'Confirmed')
    expect(stale.map(({ Name }) => Name)).toEqual(['Customer 17'])
    expect((await sql`select 1 from connector_orders where connection_id = ${id} and pushed ? 'refused'`).length).toBe(1)
    expect(google.state.updates).toBeLessThan(16)
    Object.assign(google.state, { refused: undefined })
  })

  test('is followed while it can be: what is corrected, and "annulé" in its status', async () => {
    const { write, settled, orders, tab, seen } = await rowShop()
    write(lina)
    await settled()
    tab.rows[1]![1] = { value: '12' }
    await settled()
    expect(seen()[0]?.['Order state']).toBe('⚠ The phone number is missing or wrong')
    tab.rows[1]![1] = { value: '0550123456' }
    tab.rows[1]![3] = { value: 'Hydra' }
    await settled()
    expect(await orders()).toMatchObject([{ destination: { cityName: 'Hydra' }, status: 'pending' }])
    tab.rows[1]![7] = { value: 'Annulé' }
    await settled()
    expect(await orders()).toMatchObject([{ status: 'cancelled' }])
    tab.rows.splice(1, 1)
    await settled()
    expect(await orders()).toHaveLength(1)
  })

  test('is one order though it is moved, the tab renamed, a column put before it, or a copy made of it', async () => {
    const { write, settled, orders, tab } = await rowShop()
    write(lina, ['Nour', '0770123456', 'Oran', '', 'Basket'])
    await settled()
    tab.rows = tab.rows.map((row) => [undefined, ...row])
    tab.rows[0]![0] = { value: 'Mine' }
    tab.rows.push(tab.rows.splice(1, 1)[0]!)
    tab.rows.push([...tab.rows[1]!])
    tab.title = 'Renamed'
    await settled()
    expect(await orders()).toHaveLength(2)
    // Deleting the row id of a copied row asks for a new order.
    tab.rows[3]![tab.rows[0]!.findIndex((cell) => cell?.value === 'Row ID')] = undefined
    await settled()
    expect(await orders()).toHaveLength(3)
  })

  test('comes once though many read at once, answers are lost, and the reader dies', async () => {
    const { write, settled, orders, id, tab, seen } = await rowShop()
    write(...Array.from({ length: 120 }, (_, at) => [`C${at}`, `05501${String(at).padStart(5, '0')}`, 'Alger', '', 'Basket']))
    Object.assign(google.faults, { loseAnswer: 1, on: 'values:batchUpdate' })
    await sql`update connectors set next_pull_at = now() where connection_id = ${id}`
    await requestDuePulls(context)
    await until(async () => (await sql`select 1 from connectors where connection_id = ${id} and pull_message is not null`).length > 0)
    google.calm()
    await settled()
    await Promise.all([1, 2, 3].map(() => pullOrders(context, id, new AbortController().signal).catch(() => undefined)))
    await sql`update connectors set pull_status = 'running', pull_cursor = null where connection_id = ${id}`
    await pullOrders(context, id, new AbortController().signal)
    await settled()
    const names = tab.rows.slice(1).map((row) => row[8]?.value)
    expect(new Set(names).size).toBe(120)
    expect((await sql`select count(*)::int as n from connector_orders where connection_id = ${id}`)[0]!.n).toBe(120)
    expect(await orders()).toHaveLength(100)
    expect(seen().filter((row) => row['Order state'] === 'Received')).toHaveLength(120)
  }, 120_000)

  test('that is named in the moment in which rows move keeps the name that it had', async () => {
    const { write, settled, orders, tab, seen } = await rowShop()
    write(lina)
    await settled()
    const before = seen()[0]!['Row ID']
    write(['Nour', '0770123456', 'Oran', '', 'Basket'])
    // Somebody moves Lina's row below Nour's.
    google.state.beforeUpdate = () => tab.rows.push(tab.rows.splice(1, 1)[0]!)
    await settled()
    await settled()
    expect(await orders()).toHaveLength(2)
    expect(seen().find(({ Name }) => Name === 'Lina')!['Row ID']).toBe(before!)
  })

  test('without the column of the names nothing is read, and it is said', async () => {
    const { write, settled, orders, tab, configure } = await rowShop()
    write(lina)
    await settled()
    const place = tab.rows[0]!.findIndex((cell) => cell?.value === 'Row ID')
    tab.rows[0]![place] = { value: 'Something else' }
    write(['Nour', '0770123456', 'Oran', '', 'Basket'])
    expect(await settled()).toMatchObject({ status: 'failed', message: expect.stringContaining('Row ID') })
    expect((await configure()).body.error.code).toBe('conflict')
    tab.rows[0]![place] = { value: 'Row ID' }
    expect((await settled()).status).toBe('done')
    expect(await orders()).toHaveLength(2)
  })
})

test('a connector that is deleted while its tab is set up stays deleted', async () => {
  const shop = await rowShop({ configured: false })
  const goes = sql.begin(async (tx) => {
    await tx`select 1 from integrations where id = ${shop.id} for update`
    await Bun.sleep(2_000)
    await tx`delete from row_sources where connection_id = ${shop.id}`
  })
  await Bun.sleep(100)
  const [answer] = await Promise.all([shop.configure(), goes])
  expect([answer.status, await sql`select 1 from row_sources where connection_id = ${shop.id}`]).toMatchObject([404, []])
})
