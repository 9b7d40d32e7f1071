import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'
import { paymentShop } from '../money/payment-shop.ts'

const app = await startApp({}, { socket: true })
const { call, ok, context } = app
const { sql } = context
const ours = await paymentShop(app)
const { storeId, key, owner } = ours
const as = owner.token

const first = await ours.order(1, '=HYPERLINK("http://evil.example")')
const second = await ours.order(2, '＝1+1; "quoted"')
await ours.paid(second.id)
await ok('POST', `/v1/stores/${storeId}/orders/${first.id}/carriers/sandbox/send`, { as })

const bytesOf = async (path: string, headers: Record<string, string> = {}) =>
  new Uint8Array(await (await fetch(app.origin + path, { headers: { authorization: `Bearer ${key}`, ...headers } })).arrayBuffer())
const textOf = async (path: string, headers?: Record<string, string>) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await bytesOf(path, headers))

test('orders are exported with the filters of their list, safe against formulas, as spreadsheets of each language read them', async () => {
  const french = await textOf('/v1/orders/export.csv', { 'accept-language': 'fr-FR,fr;q=0.9' })
  const [head, ...rows] = french.split('\r\n')
  expect(head).toStartWith('\ufeffRéférence;Date;Statut;')
  expect(rows.length).toBe(3)
  expect(french).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
  expect(french).toContain(`"'＝1+1; ""quoted"""`)
  expect(french).toContain(";'+213550123456;")
  const english = await textOf('/v1/orders/export.csv?language=en', { 'accept-language': 'fr' })
  expect(english).toStartWith('\ufeffReference,Date,Status,')
  expect((await textOf('/v1/orders/export.csv?language=ar')).split('\r\n')[0]).toStartWith('\ufeffالمرجع;')
  expect((await textOf(`/v1/orders/export.csv?filter[paymentStatus]=paid`)).split('\r\n').length).toBe(3)
  const sorted = await textOf('/v1/orders/export.csv?sort=total&language=en')
  expect(sorted.indexOf(first.reference)).toBeLessThan(sorted.indexOf(second.reference))
  await sql`update orders set total = total + 0.5, subtotal = subtotal + 0.5 where id = ${first.id}`
  expect(await textOf('/v1/orders/export.csv?language=fr')).toMatch(/;\d+,5;/)
  expect(await textOf('/v1/orders/export.csv?language=en')).toMatch(/,\d+\.5,/)
})

test('an export writes its codes in the language that was asked for, in English as they are, and everywhere on request', async () => {
  const cellsOf = (csv: string, separator: string) => new Set(csv.split(/\r\n/).slice(1).join(separator).split(separator))
  const written = async (path: string) => {
    const cells = async (query: string, separator: string) => cellsOf(await textOf(`${path}?${query}`), separator)
    const spread = { fr: await cells('language=fr', ';'), ar: await cells('language=ar', ';'), en: await cells('language=en', ',') }
    const codes = await cells('language=fr&values=codes', ';')
    return (labels: Readonly<Record<'fr' | 'ar' | 'en', readonly string[]>>) => {
      for (const language of ['fr', 'ar', 'en'] as const)
        expect([language, ...labels[language].filter((label) => !spread[language].has(label))]).toEqual([language])
      expect(labels.en.filter((code) => !codes.has(code))).toEqual([])
    }
  }
  ;(await written('/v1/orders/export.csv'))({
    fr: ['En attente', 'Payée', 'Non payée', 'À domicile', 'API'],
    ar: ['قيد الانتظار', 'مدفوعة', 'غير مدفوعة', 'إلى المنزل', 'واجهة برمجية'],
    en: ['pending', 'paid', 'unpaid', 'home', 'api'],
  })
  await until(async () => (await textOf('/v1/parcels/export.csv')).includes('submitted'))
  ;(await written('/v1/parcels/export.csv'))({ fr: ['Remis', 'Aucun', 'À domicile'], ar: ['لا شيء'], en: ['submitted', 'none', 'home'] })
  ;(await written(`/v1/stores/${storeId}/payments/export.csv`))({ fr: ['Payé'], ar: ['مدفوع'], en: ['paid'] })
  ;(await written(`/v1/stores/${storeId}/cash/export.csv`))({ fr: ['Paiement', 'oui'], ar: ['دفع', 'نعم'], en: ['payment', 'yes'] })
  expect((await call('GET', '/v1/orders/export.csv?values=words', { as: key })).status).toBe(400)
})

test('parcels, payments, payouts and cash lines are exported as well', async () => {
  await until(async () => (await textOf('/v1/parcels/export.csv')).includes('submitted'))
  expect(await textOf('/v1/parcels/export.csv?language=fr')).toContain("Statut de l'encaissement;")
  const payments = await textOf(`/v1/stores/${storeId}/payments/export.csv?status=paid`)
  expect(payments.split('\r\n').length).toBe(3)
  expect(payments).toContain(second.id)
  expect((await textOf(`/v1/stores/${storeId}/payouts/export.csv`)).split('\r\n').length).toBe(2)
  const cash = await textOf(`/v1/stores/${storeId}/cash/export.csv?filter[kind]=payment&language=en`)
  expect(cash).toContain('payment')
  expect(cash.split('\r\n').length).toBe(3)
  expect((await textOf(`/v1/stores/${storeId}/cash/export.csv?filter[to]=2020-01-01T00:00:00Z`)).split('\r\n').length).toBe(2)
})

test('export: a caller without the right to a list, or with an unknown column, gets no file', async () => {
  const other = await app.shop()
  for (const path of [
    `/v1/orders/export.csv?storeId=${storeId}`,
    `/v1/stores/${storeId}/payments/export.csv`,
    `/v1/stores/${storeId}/cash/export.csv`,
  ]) {
    expect((await call('GET', path)).status).toBe(401)
    expect((await call('GET', path, { as: 'sk_wrong' })).status).toBe(401)
    expect((await call('GET', path, { as: other.key })).status).toBe(404)
  }
  for (const query of ['limit=5', 'cursor=x', 'language=de', 'sort=no', 'wrong=1', 'filter[status]=no'])
    expect([query, (await call('GET', `/v1/orders/export.csv?${query}`, { as: key })).status]).toEqual([query, 400])
})

test('a long export comes whole, and one whose caller is gone ends and leaves its place', async () => {
  const columns = await sql<
    { name: string }[]
  >`select column_name as name from information_schema.columns where table_name = 'orders' and column_name not in ('id', 'reference', 'parcel_id', 'reservation_id')`
  const list = columns.map(({ name }) => `"${name}"`).join(', ')
  await sql.unsafe(`insert into orders (id, reference, ${list})
    select 'ord_00' || lpad(n::text, 24, '0'), 'R' || n, ${list} from orders, generate_series(1, 5000) n where id = '${second.id}'`)
  expect((await textOf('/v1/orders/export.csv')).split('\r\n').length).toBe(5004)
  const begin = async () => {
    const end = new AbortController()
    const answer = await fetch(`${app.origin}/v1/orders/export.csv`, { headers: { authorization: `Bearer ${key}` }, signal: end.signal })
    if (answer.status !== 200) await answer.text()
    return { status: answer.status, leave: () => end.abort() }
  }
  // While nobody can read orders, no export ends.
  const begun = await sql.begin(async (tx) => {
    await tx`lock table orders in access exclusive mode`
    const begun = [begin(), begin(), begin()]
    await Promise.any(begun.map(async (one) => ((await one).status === 503 ? true : Promise.reject(new Error('It is not refused.')))))
    return begun
  })
  const held = await Promise.all(begun)
  expect(held.map(({ status }) => status).toSorted()).toEqual([200, 200, 503])
  for (const { leave } of held) leave()
  await until(async () => {
    const next = await begin()
    next.leave()
    return next.status === 200
  })
}, 60_000)

test('the audit log is exported with the filters of its list, for its owner alone', async () => {
  const path = `/v1/stores/${storeId}/audit/export.csv`
  const read = async (query: string) => (await call('GET', `${path}?language=en&${query}`, { as })).body as string
  const all = await read('')
  expect(all).toStartWith('Date,Change,Changed id,Actor,')
  const { data } = await ok('GET', `/v1/stores/${storeId}/audit?what=order.sent`, { as })
  const sent = await read('what=order.sent')
  expect(sent.trim().split('\r\n').length).toBe(data.length + 1)
  expect(sent).toContain(data[0].id)
  expect((await read('to=2020-01-01T00:00:00Z')).trim().split('\r\n').length).toBe(1)
  expect((await call('GET', path, { as: key })).status).toBe(403)
  expect((await call('GET', path)).status).toBe(401)
  expect((await call('GET', `${path}?limit=5`, { as })).status).toBe(400)
})
