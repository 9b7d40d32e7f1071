import { afterAll, describe, expect, test } from 'bun:test'
import googleSheets from '../../../adapters/spreadsheet/google-sheets/index.ts'
import { requestDueSheetWrites } from '../../../core/connectors/sheet-export/due-writes.ts'
import { writeSheet } from '../../../core/connectors/sheet-export/write-sheet.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import type { Tab } from '../../adapters/spreadsheet/google-sheets/books.ts'
import { CLIENT, startGoogle } from '../../adapters/spreadsheet/google-sheets/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const google = startGoogle()
afterAll(() => google.stop())
const app = await startApp({ simulators: Object.fromEntries(googleSheets.net.map((host) => [host, google.url])) }, { socket: true })
const { call, ok, context } = app
const { sql } = context
const admin = await app.person('The administrator')
/** A shop whose people have signed in at Google, unless they are to do that later: with a quota of its own, and so one for each test. */
async function sheetShop({ signedIn = true } = {}) {
  const { storeId, owner, key } = await app.shop()
  const as = owner.token
  const base = `/v1/stores/${storeId}/integrations/google-sheets`
  const authUrl = `/v1/oauth2/google/sheets/auth-url?storeId=${storeId}`
  const { data: product } = await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: 'Basket', sku: 'B', price: 2500, initialStock: 1000 },
  })

  async function order(name = 'Lina'): Promise<{ id: string; reference: string }> {
    const body = {
      storeId,
      customer: { name, phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 2 }],
    }
    const { data } = await ok('POST', '/v1/orders', { as: key, body })
    await drainChanges(context)
    return data
  }
  const change = (id: string, body: object) => ok('PATCH', `/v1/orders/${id}`, { as: key, body })
  const configure = async (body: object) => (await ok('POST', `${base}/configure`, { as, body })).data
  const target = async () => (await ok('GET', `${base}/configure`, { as })).data
  const connectionId = async () => (await ok('GET', base, { as })).data.id as string

  /** What the browser of somebody does who says yes; gives where it was sent back to. */
  async function consent(): Promise<string> {
    const asked = new URL((await ok('GET', authUrl, { as })).data.url)
    const answer = await fetch(google.url + asked.pathname + asked.search, { redirect: 'manual' })
    return answer.headers.get('location') ?? ''
  }

  /** Whatever rests, or was put off, is due now. */
  async function hurry() {
    await sql`update sheet_targets set rests_until = null where project_id = ${projectIdOf(storeId)}`
    await sql`update sheet_rows set retry_after = null where project_id = ${projectIdOf(storeId)}`
    await requestDueSheetWrites(context)
  }
  const written = () =>
    until(async () => {
      await hurry()
      return (await target()).rows.waiting === 0
    })
  const rests = async (seconds: number) =>
    sql`update sheet_targets set rests_until = now() + ${seconds} * interval '1 second' where project_id = ${projectIdOf(storeId)}`

  /** A sheet where its orders go. */
  async function sheet(rows: string[][] = [['Order ID', 'Status', 'Name', 'Phone', 'Total']]) {
    const book = google.make('A book', rows)
    const columns = [
      { header: 'Status', field: 'status' },
      { header: 'Name', field: 'customerName' },
      { header: 'Phone', field: 'phone' },
      { header: 'Total', field: 'total' },
    ]
    await configure({ spreadsheetId: book.id, tabId: '0', language: 'en', columns })
    const tab = google.tab(book.id)
    return { book, tab, of: (id: string) => seen(tab).filter((row) => row['Order ID'] === id) }
  }

  if (signedIn) await fetch(await consent())
  return { storeId, as, key, base, authUrl, order, change, configure, target, connectionId, consent, hurry, written, rests, sheet }
}
/** The same, with a sheet where its orders go. */
async function freshSheet(rows?: string[][]) {
  const shop = await sheetShop()
  return { ...shop, ...(await shop.sheet(rows)) }
}

/** What people see, by the header above each cell. */
function seen(tab: Tab): Record<string, string | number>[] {
  const [headers = [], ...rows] = tab.rows.map((row) => Array.from(row, (cell) => cell?.value ?? ''))
  return rows.map((row) => Object.fromEntries(headers.map((header, at) => [header, row[at] ?? ''])))
}
const appends = () => google.requests.filter(({ path }) => path.endsWith(':append')).length

describe('signing in', async () => {
  const { storeId, as, base, authUrl, consent } = await sheetShop({ signedIn: false })

  test('a store without a client is told, and gets no connection by asking', async () => {
    const answer = await call('GET', authUrl, { as })
    expect([answer.status, answer.body.error.code]).toEqual([422, 'adapter_not_enabled'])
    expect((await call('GET', base, { as })).status).toBe(404)
    expect((await call('GET', `/v1/oauth2/nobody/sheets/auth-url?storeId=${storeId}`, { as })).status).toBe(404)
  })

  test("with the platform's client the store is connected by it, at the address of the kind, and once", async () => {
    await ok('PUT', '/v1/platform/integrations/google-sheets', { as: admin.token, body: { enabled: true, credentials: CLIENT } })
    const asked = new URL((await ok('GET', authUrl, { as })).data.url)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      scope: 'https://www.googleapis.com/auth/drive.file',
      access_type: 'offline',
      prompt: 'consent',
      redirect_uri: `${app.origin}/v1/oauth2/google/sheets`,
    })
    const back = await consent()
    const page = await fetch(back)
    expect([page.status, page.headers.get('content-type')]).toMatchObject([200, expect.stringContaining('html')])
    expect((await ok('GET', base, { as })).data).toMatchObject({ state: 'connected', kind: 'spreadsheet' })
    expect((await fetch(back)).status).toBe(400)
  })
})

describe('sheets', () => {
  test('one is made with its headers, listed with its tabs, and the orders go there', async () => {
    const { storeId, as, base, order, written } = await sheetShop()
    const { data } = await ok('POST', `${base}/create`, { as, body: { title: 'Commandes', tab: "L'été", language: 'fr' } })
    expect(data).toMatchObject({ keyHeader: 'ID commande', statuses: null, problem: null, rows: { waiting: 0, written: 0, gone: 0 } })
    const query = `storeId=${storeId}`
    const { data: files } = await ok('GET', `/v1/actions/getGoogleSheetsFiles?${query}`, { as })
    expect(files).toMatchObject([{ id: data.spreadsheetId, name: 'Commandes' }])
    expect((await ok('GET', `${base}/list?limit=1`, { as })).data).toEqual(files)
    const { data: tabs } = await ok('GET', `/v1/actions/getGoogleSheetsTabs?${query}&fileId=${data.spreadsheetId}`, { as })
    expect(tabs).toEqual([{ id: data.tabId, title: "L'été" }])
    const headers = await ok('GET', `${base}/headers?spreadsheetId=${data.spreadsheetId}&tabId=${data.tabId}`, { as })
    expect(headers.data.recognised).toEqual(data.columns)
    const { id, reference } = await order('=IMPORTXML("https://x.example")')
    await written()
    const tab = google.tab(data.spreadsheetId, Number(data.tabId))
    expect(seen(tab)).toMatchObject([
      {
        'ID commande': id,
        Référence: reference,
        Statut: 'pending',
        Nom: '=IMPORTXML("https://x.example")',
        Téléphone: '+213550123456',
        Produits: '2 × Basket',
        Quantité: 2,
        Total: 5000,
      },
    ])
    expect(tab.rows.flat().some((cell) => cell?.formula !== undefined)).toBe(false)
  })

  test('what is asked wrongly is said: a status that there is not, a header twice, a day long ago, a sheet that was not given', async () => {
    const { as, base } = await sheetShop()
    const { id } = google.make('Theirs', [['Order ID']])
    const refused = async (body: object) =>
      (await call('POST', `${base}/configure`, { as, body: { spreadsheetId: id, tabId: '0', ...body } })).body.error
    expect((await refused({ statuses: ['dancing'] })).code).toBe('invalid_request')
    expect((await refused({ since: '2020-01-01T00:00:00.000Z' })).code).toBe('invalid_request')
    const twice = { header: 'Total', field: 'total' }
    expect((await refused({ columns: [twice, { header: ' TOTAL', field: 'paid' }] })).code).toBe('invalid_request')
    expect((await refused({ tabId: '9' })).code).toBe('not_found')
    google.books.get(id)!.granted = false
    expect((await refused({})).code).toBe('not_found')
  })
})

describe('an order has one row', () => {
  test('in a tab that has columns of its own, and no room for more', async () => {
    const { order, configure, written } = await sheetShop()
    const own = Array.from({ length: 9 }, (_, at) => `Colonne ${at}`)
    const book = google.make('Theirs', [own])
    const data = await configure({ spreadsheetId: book.id, tabId: '0', language: 'fr' })
    const { id } = await order()
    await written()
    const tab = google.tab(book.id)
    expect(tab.rows[0]!.map((cell) => cell?.value)).toEqual([
      ...own,
      'ID commande',
      ...data.columns.map(({ header }: { header: string }) => header),
    ])
    expect(seen(tab)).toMatchObject([{ 'ID commande': id, Nom: 'Lina', Total: 5000 }])
    expect(tab.grid.columns).toBe(9 + 18)
  })

  test('in which what people typed stays where there is nothing to say, or nothing new', async () => {
    const { storeId, as, base, tab, of, order, change, written } = await freshSheet()
    const columns = ['Status', 'Name', 'Carrier', 'Tracking'].map((header, at) => ({
      header,
      field: ['status', 'customerName', 'carrier', 'tracking'][at],
    }))
    await ok('POST', `${base}/field-mapping`, { as, body: { columns } })
    const { id } = await order()
    await written()
    const row = () => tab.rows.find((cells) => cells[0]?.value === id)!
    const place = (header: string) => tab.rows[0]!.findIndex((cell) => cell?.value === header)
    row()[place('Tracking')] = { value: 'yal-1' }
    row()[place('Carrier')] = { value: 'a cousin' }
    await change(id, { status: 'confirmed' })
    await written()
    expect(of(id)).toMatchObject([{ Status: 'confirmed', Carrier: 'a cousin', Tracking: 'yal-1' }])
    row()[place('Status')] = { value: 'called twice' }
    await sql`update sheet_rows set wanted = wanted + 1 where project_id = ${projectIdOf(storeId)}`
    await written()
    expect(of(id)).toMatchObject([{ Status: 'called twice' }])
    await change(id, { customer: { name: 'Lina Saadi' } })
    await written()
    expect(of(id)).toMatchObject([{ Status: 'confirmed', Name: 'Lina Saadi', Carrier: 'a cousin', Tracking: 'yal-1' }])
  })

  test('that says what is so, though of an answer that was lost nobody knows what it had said', async () => {
    const { of, order, change, hurry, target, written } = await freshSheet()
    const { id } = await order()
    await written()
    Object.assign(google.faults, { loseAnswer: 1, on: 'values:batchUpdate' })
    await change(id, { status: 'confirmed' })
    await hurry()
    await until(async () => (await target()).problem !== null)
    google.calm()
    expect(of(id)).toMatchObject([{ Status: 'confirmed' }])
    await change(id, { status: 'pending' })
    await written()
    expect(of(id)).toMatchObject([{ Status: 'pending' }])
  })

  test('written with fewer others where more came to nothing', async () => {
    const { storeId, connectionId, order, rests, target } = await freshSheet()
    const id = await connectionId()
    await rests(3600)
    await Promise.all(Array.from({ length: 18 }, () => order()))
    await sql`update sheet_targets set failures = 7, rests_until = null where project_id = ${projectIdOf(storeId)}`
    const before = appends()
    // A job that an order requested may hold the sheet's lease. Then the call writes nothing, and the job all.
    await until(async () => {
      await writeSheet(context, id, new AbortController().signal)
      return (await target()).rows.waiting === 0
    })
    expect([(await target()).rows.written, appends() - before]).toEqual([18, 2])
  })

  test('which follows it, and in which what people correct stays until the order is changed', async () => {
    const { tab, of, order, change, written } = await freshSheet([['Notes', 'Order ID', 'Total', 'Status']])
    expect(tab.rows[0]!.map((cell) => cell?.value)).toEqual(['Notes', 'Order ID', 'Total', 'Status', 'Name', 'Phone'])
    const [one, other] = [await order(), await order('Nour')]
    await written()
    expect(of(one.id)).toMatchObject([{ Status: 'pending', Name: 'Lina', Total: 5000 }])
    const row = tab.rows.find((cells) => cells[1]?.value === one.id)!
    row[0] = { value: 'call at six' }
    row[4] = { value: 'Lina B.' }
    tab.rows.splice(1, 0, [{ value: 'my own row' }])
    await change(one.id, { status: 'confirmed' })
    await written()
    expect(of(one.id)).toMatchObject([{ Notes: 'call at six', Status: 'confirmed', Name: 'Lina B.' }])
    expect(of(other.id)).toMatchObject([{ Status: 'pending', Name: 'Nour' }])
    await change(one.id, { customer: { name: 'Lina Saadi' } })
    await written()
    expect(of(one.id)).toMatchObject([{ Notes: 'call at six', Name: 'Lina Saadi' }])
    expect(tab.rows).toHaveLength(4)
  })

  test('once, though the answer was lost: it is looked for before it is tried again', async () => {
    const { of, order, hurry, target, written } = await freshSheet()
    Object.assign(google.faults, { loseAnswer: 1 })
    const { id } = await order()
    await hurry()
    await until(async () => (await target()).problem !== null)
    expect((await target()).rows).toMatchObject({ waiting: 1 })
    google.calm()
    await written()
    expect(of(id)).toHaveLength(1)
    // The problem is over when the run that wrote the row has ended.
    await until(async () => (await target()).problem === null)
    expect((await target()).rows).toMatchObject({ waiting: 0, written: 1 })
  })

  test('once, though its writer died in between, on either side of the write', async () => {
    const { tab, of, book, connectionId, order, rests, written } = await freshSheet()
    const id = await connectionId()
    await rests(3600)
    const [arrived, lost] = [await order(), await order('Nour')]
    // As the dead one left it: both were under way, and one had arrived.
    tab.rows.push([{ value: arrived.id }])
    await sql`update sheet_rows set stands = 'maybe' where connection_id = ${id}`
    await sql`insert into sheet_leases (file, by, until) values (${`google-sheets ${book.id}`}, 'the dead', now() + interval '1 minute')`
    await rests(0)
    const before = google.requests.length
    await writeSheet(context, id, new AbortController().signal)
    expect(google.requests.length).toBe(before)
    await sql`update sheet_leases set until = now() where by = 'the dead'`
    await written()
    expect([of(arrived.id), of(lost.id)]).toMatchObject([[{ Name: 'Lina' }], [{ Name: 'Nour' }]])
  })

  test('once, though many write at once, and many rows go in few calls', async () => {
    const { tab, connectionId, order, rests, written } = await freshSheet()
    const id = await connectionId()
    await rests(3600)
    const ids = (await Promise.all(Array.from({ length: 12 }, () => order()))).map((one) => one.id)
    await rests(0)
    const before = appends()
    await Promise.all([1, 2, 3, 4].map(() => writeSheet(context, id, new AbortController().signal)))
    await written()
    expect(
      seen(tab)
        .map((row) => row['Order ID'])
        .sort(),
    ).toEqual(ids.toSorted())
    expect(appends() - before).toBe(1)
  })

  test('which is not written again where somebody deleted it, unless that is asked for', async () => {
    const { tab, of, key, base, order, change, target, written } = await freshSheet()
    const { id } = await order()
    await written()
    tab.rows.splice(1, 1)
    tab.title = 'Renamed'
    await change(id, { status: 'confirmed' })
    await written()
    expect([of(id), (await target()).rows]).toEqual([[], { waiting: 0, written: 0, gone: 1 }])
    await change(id, { status: 'pending' })
    await written()
    expect(of(id)).toEqual([])
    const asked = await call('POST', `${base}/append-row`, { as: key, body: { orderId: id } })
    expect([asked.status, asked.body.data]).toEqual([202, { orderId: id, state: 'waiting' }])
    await written()
    expect(of(id)).toMatchObject([{ Status: 'pending' }])
    expect((await call('POST', `${base}/append-row`, { as: key, body: { orderId: 'ord_of_nobody' } })).status).toBe(404)
  })

  test('written again where that is asked for, also before it is seen that somebody deleted it, or at that moment', async () => {
    const { tab, of, key, base, order, change, written } = await freshSheet()
    const [{ id }, other] = [await order(), await order()]
    const isGone = () =>
      tab.rows.splice(
        tab.rows.findIndex(([cell]) => cell?.value === id),
        1,
      )
    const ask = () => ok('POST', `${base}/append-row`, { as: key, body: { orderId: id } })
    await written()
    isGone()
    await ask()
    await written()
    expect(of(id)).toHaveLength(1)
    isGone()
    google.state.beforeUpdate = ask
    for (const one of [id, other.id]) await change(one, { status: 'confirmed' })
    await written()
    expect(of(id)).toMatchObject([{ Status: 'confirmed' }])
    expect(of(other.id)).toMatchObject([{ Status: 'confirmed' }])
  })

  test('from the first status on that is wanted, and that says so when the order is deleted', async () => {
    const { of, book, key, order, change, configure, written } = await freshSheet()
    await configure({ spreadsheetId: book.id, tabId: '0', statuses: ['confirmed'] })
    const { id } = await order()
    await written()
    expect(of(id)).toEqual([])
    await change(id, { status: 'confirmed' })
    await change(id, { status: 'cancelled' })
    await written()
    expect(of(id)).toMatchObject([{ Status: 'cancelled' }])
    await ok('DELETE', `/v1/orders/${id}`, { as: key })
    await written()
    expect(of(id)).toMatchObject([{ Status: 'deleted', Name: 'Lina' }])
  })

  test('also after the sheet was left and taken up again, from a day in the past', async () => {
    const since = new Date().toISOString()
    const { of, book, as, base, order, change, configure, target, written } = await freshSheet()
    const [stood, other] = [await order(), await order('Nour')]
    await written()
    expect((await ok('DELETE', `${base}/configure`, { as })).data).toEqual({ stopped: true })
    expect((await call('GET', `${base}/configure`, { as })).status).toBe(404)
    const missed = await order('Amel')
    await change(other.id, { status: 'confirmed' })
    await configure({ spreadsheetId: book.id, tabId: '0', language: 'fr', columns: [{ header: 'Status', field: 'status' }], since })
    await written()
    expect([of(stood.id), of(other.id), of(missed.id)]).toMatchObject([
      [{ Name: 'Lina' }],
      [{ Status: 'confirmed' }],
      [{ Status: 'pending' }],
    ])
    expect((await target()).keyHeader).toBe('Order ID')
  })
})

describe('concurrent changes', () => {
  test('a sheet is exchanged for another while it is written: what was noted of the one counts nothing for the other', async () => {
    const since = new Date().toISOString()
    const { of, book, order, configure, written, sheet, hurry } = await freshSheet()
    const { id } = await order()
    Object.assign(google.faults, { delayMs: 150 })
    const before = appends()
    await hurry()
    await until(() => appends() > before)
    const next = await sheet()
    await configure({ spreadsheetId: next.book.id, tabId: '0', since })
    google.calm()
    const { id: later } = await order('Nour')
    await written()
    await until(() => of(id).length > 0)
    expect([of(id), of(later)]).toMatchObject([[{ Name: 'Lina' }], []])
    expect([next.of(id), next.of(later)]).toMatchObject([[{ Name: 'Lina' }], [{ Name: 'Nour' }]])
    expect(book.id).not.toBe(next.book.id)
  })

  test('two stores write into one file, one at a time', async () => {
    const [one, other] = [await freshSheet(), await sheetShop()]
    await other.configure({ spreadsheetId: one.book.id, tabId: '0', language: 'en' })
    const ids = (await Promise.all([one, other, one, other].map(({ order }) => order()))).map(({ id }) => id)
    await Promise.all([one.written(), other.written()])
    expect(
      seen(one.tab)
        .map((row) => row['Order ID'])
        .sort(),
    ).toEqual(ids.toSorted())
  })

  test('an order that changes while it is written is written once more', async () => {
    const { of, order, change, hurry, written } = await freshSheet()
    const { id } = await order()
    Object.assign(google.faults, { delayMs: 150 })
    const before = appends()
    await hurry()
    await until(() => appends() > before)
    await change(id, { status: 'confirmed' })
    google.calm()
    await written()
    expect(of(id)).toMatchObject([{ Status: 'confirmed' }])
  })
})

describe('errors', () => {
  test('an exhausted quota is waited for without a reported problem', async () => {
    const { of, storeId, order, hurry, target, written } = await freshSheet()
    Object.assign(google.faults, { rateLimit: 1, retryAfter: 1, on: '^GET /v4/' })
    const { id } = await order()
    await hurry()
    const isResting = async () =>
      (await sql`select 1 from sheet_targets where project_id = ${projectIdOf(storeId)} and rests_until > now()`).length > 0
    await until(isResting)
    expect((await target()).problem).toBeNull()
    google.calm()
    await written()
    expect(of(id)).toHaveLength(1)
  })

  test('lost access and a key column that was taken away are told, and nothing is lost when they come back', async () => {
    const { book, tab, of, as, base, order, hurry, target, written } = await freshSheet()
    book.shared = false
    const { id } = await order()
    await hurry()
    await until(async () => (await target()).problem?.includes('Share it again'))
    book.shared = true
    tab.rows[0]![0] = { value: 'Nr' }
    await hurry()
    await until(async () => (await target()).problem?.includes('Order ID'))
    expect((await ok('GET', base, { as })).data.state).toBe('connected')
    const { data } = await ok('POST', `${base}/sync-headers`, { as })
    expect(data.headers).toEqual(['Nr', 'Status', 'Name', 'Phone', 'Total', 'Order ID'])
    await written()
    expect(of(id)).toMatchObject([{ Name: 'Lina', Nr: '' }])
  })

  test('a store that says no at Google needs attention, and its orders wait', async () => {
    const { as, base, order, hurry, target } = await freshSheet()
    google.state.revoked = true
    await order()
    await hurry()
    await until(async () => (await ok('GET', base, { as })).data.state === 'needs_attention')
    expect((await target()).rows.waiting).toBe(1)
  })

  test('with the connection its sheet is forgotten, and taking orders goes on', async () => {
    google.state.revoked = false
    const { as, base, connectionId, order } = await freshSheet()
    const id = await connectionId()
    expect((await call('DELETE', base, { as })).status).toBe(204)
    await order()
    expect(
      (await sql`select 1 from sheet_targets where connection_id = ${id} union all select 1 from sheet_rows where connection_id = ${id}`)
        .length,
    ).toBe(0)
  })
})
