import { createHmac } from 'node:crypto'
import type { Order } from '../../core/orders/orders.model.ts'
import type { StatusPushed } from '../../plugins/connector/index.ts'
import { accountId, client as META, type startMeta } from '../adapters/ads/meta/simulator.ts'
import { CLIENT as GOOGLE, type Google } from '../adapters/spreadsheet/google-sheets/simulator.ts'
import type { Api } from './api.ts'
import { openBranch } from './branch.ts'
import { sandbox } from './carriers.ts'
import type { Check } from './report.ts'
import type { Shop } from './shop.ts'
import { waitFor } from './wait-for.ts'

/** Simulators of other platforms, and what they recorded. */
export interface Simulators {
  readonly google: Google
  readonly meta: ReturnType<typeof startMeta>
  /** Returns a value that the sandbox shop stored in its connection. */
  note(connection: { readonly id: string; readonly storeId: string }, key: string): Promise<unknown>
  /** Runs the jobs now that normally run every minute. */
  runDueJobs(): Promise<void>
}

const [EXTERNAL_ID, PRICE, DELIVERY] = ['7001', 2_500, 400]

/** Sends one order of a connected shop through all connections of a fourth store. Each must record it once. */
export async function runConnectedShop(
  api: Api,
  { owner }: Shop,
  simulators: Simulators,
  say: (line: string) => void,
): Promise<readonly Check[]> {
  const branch = await openBranch(api, owner.token, 'Boutique Amina, online')
  const store = { ...branch, as: owner.token, base: `/v1/stores/${branch.storeId}/integrations` }
  await store.product({ name: 'Mint tea', sku: 'TEA', price: 9_000, initialStock: 50 })
  const carrier = sandbox()
  await store.connect(carrier.key, carrier.connection.credentials)
  await store.connect('sandbox-payment', {})
  const shop = await connectShop(api, store)
  const sheet = await connectSheet(api, store, simulators.google)
  const pixel = await connectPixel(api, store, simulators.meta)

  const answers = await Promise.all([shop.tell(), shop.tell(), shop.tell(), shop.tell('another secret')])
  const order = await waitFor(async () => (await api.get<Order[]>(`/v1/orders?storeId=${store.storeId}`, store.key))[0])
  const paid = await payTwice(api, store, order.id)
  await api.call('PATCH', `/v1/orders/${order.id}`, { as: store.key, body: { status: 'confirmed' } })
  const [parcel, again] = await Promise.all([store.send(order.id), store.send(order.id)])
  const { headers, body } = carrier.callback([{ trackingId: parcel.trackingId, stage: 'delivered', at: new Date().toISOString() }])
  await fetch(`${api.origin}${store.base}/${carrier.key}/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const pushed = await waitFor(async () => {
    await simulators.runDueJobs()
    const told = (await simulators.note({ id: shop.id, storeId: store.storeId }, `pushed:${EXTERNAL_ID}`)) as Pushed | undefined
    return told?.status === 'delivered' && sheet.rows()[0]?.includes('delivered') && pixel.purchases().length > 0 ? told : undefined
  })
  const all = await api.get<Order[]>(`/v1/orders?storeId=${store.storeId}`, store.key)
  const parcels = await api.get<unknown[]>('/v1/parcels', store.key)
  say(
    `Order ${order.reference} of the sandbox shop: paid, written to the sheet, sent in a parcel, reported to Meta, and reported back to its shop`,
  )
  const so = (name: string, isSo: boolean): Check => ({ name, isSo })
  return [
    so(
      'an order that its shop reported three times was imported once, at the prices of the shop; a forged callback was rejected',
      answers.join() === '200,200,200,401' && all.length === 1 && order.totals.total === PRICE + DELIVERY,
    ),
    so('the gateway was paid once, and the carrier collects nothing', paid === 1 && parcel.codAmount === 0),
    so('the sheet has one row for it, with its current status', sheet.rows().length === 1 && sheet.rows()[0]?.includes(order.id) === true),
    so('it was sent in one parcel', parcel.trackingId === again.trackingId && parcels.length === 1),
    so('Meta received one purchase', pixel.purchases().join() === `order-${order.id}`),
    so(
      'its shop received each status once, with the tracking number',
      pushed.trackingId === parcel.trackingId && new Set(pushed.told).size === pushed.told.length,
    ),
  ]
}

/** State that the sandbox shop received for an order, with every status that was pushed. */
type Pushed = Omit<StatusPushed, 'externalId'> & { readonly told: readonly string[] }

type Store = Awaited<ReturnType<typeof openBranch>> & { readonly as: string; readonly base: string }

async function connectShop(api: Api, { base, as }: Store) {
  const webhookSecret: string = crypto.randomUUID()
  const { id, webhookUrl } = await api.post<{ id: string; webhookUrl: string }>(`${base}/connectors`, {
    as,
    body: {
      platform: 'sandbox-shop',
      name: 'online',
      credentials: { webhookSecret },
      settings: { orders: 0, shop: 'amina.example', skus: 'TEA' },
    },
  })
  const news = JSON.stringify({
    order: {
      externalId: EXTERNAL_ID,
      number: `#${EXTERNAL_ID}`,
      status: 'open',
      currency: 'DZD',
      customer: { name: 'Nadia Cherif', phone: '0770 12 34 56' },
      address: { country: 'DZ', state: 'Oran', city: 'Oran', address: '5 rue des Lilas' },
      items: [{ sku: 'TEA', name: 'Mint tea', quantity: 1, unitPrice: String(PRICE) }],
      delivery: String(DELIVERY),
      total: String(PRICE + DELIVERY),
      updatedAt: new Date().toISOString(),
    },
  })
  async function tell(secret = webhookSecret): Promise<number> {
    const signature = createHmac('sha256', secret).update(news).digest('hex')
    const headers = { 'content-type': 'application/json', 'x-sandbox-signature': signature }
    return (await fetch(api.origin + new URL(webhookUrl).pathname, { method: 'POST', headers, body: news })).status
  }
  return { id, tell }
}

/** Connects a sheet. The owner agrees at Google, in a browser. */
async function connectSheet(api: Api, { storeId, base, as }: Store, google: Google) {
  await api.put(`${base}/google-sheets`, { as, body: { enabled: true, credentials: GOOGLE, settings: {} } })
  const { url } = await api.get<{ url: string }>(`/v1/oauth2/google/sheets/auth-url?storeId=${storeId}`, as)
  await comeBack(google.url, url)
  const body = { title: 'Orders', language: 'en', columns: [{ header: 'Status', field: 'status' }] }
  const { spreadsheetId } = await api.post<{ spreadsheetId: string }>(`${base}/google-sheets/create`, { as, body })
  const tab = google.tab(spreadsheetId)
  return {
    /** Returns the rows below the headers. */
    rows: () => tab.rows.slice(1).map((row) => row.map((cell) => String(cell?.value ?? ''))),
  }
}

async function connectPixel(api: Api, { storeId, base, as }: Store, { url, book }: Simulators['meta']) {
  await api.put(`${base}/meta`, { as, body: { enabled: true, credentials: META, settings: {} } })
  const begun = await fetch(`${api.origin}/v1/social/meta/marketing/redirect?storeId=${storeId}`, {
    headers: { authorization: `Bearer ${as}` },
    redirect: 'manual',
  })
  await comeBack(url, begun.headers.get('location') ?? '')
  const rules = [{ status: 'confirmed', event: 'Purchase', pixelId: book.pixelId }]
  await api.call('PATCH', `${base}/meta/ads/settings`, { as, body: { accountIds: [accountId], rules } })
  return { purchases: () => book.events.filter(({ name }) => name === 'Purchase').map(({ id }) => id) }
}

/** Follows a sign-in as a browser does whose user agrees. */
async function comeBack(simulator: string, address: string): Promise<void> {
  const { pathname, search } = new URL(address)
  const answer = await fetch(simulator + pathname + search, { redirect: 'manual' })
  await fetch(answer.headers.get('location') ?? '')
}

/** Pays with a double click. Returns the number of paid payments. */
async function payTwice(api: Api, { key }: Store, orderId: string): Promise<number> {
  const { checkoutUrl } = await api.post<{ checkoutUrl: string }>(`/v1/orders/${orderId}/payment/sandbox-payment/initiate`, {
    as: key,
    body: {},
  })
  const address = api.origin + new URL(checkoutUrl).pathname + new URL(checkoutUrl).search
  const page = await (await fetch(address)).text()
  const said = (name: string) => new RegExp(`data-${name}="([^"]+)"`).exec(page)?.[1]
  const body = JSON.stringify({ checkout: said('checkout'), proof: said('proof'), choice: 'pay' })
  const press = () => fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  await Promise.all([press(), press()])
  return waitFor(async () => {
    const payments = await api.get<{ status: string }[]>(`/v1/orders/${orderId}/payments`, key)
    return payments.filter(({ status }) => status === 'paid').length || undefined
  })
}
