import { inParallel, type storefront } from '../support/storefront.ts'

const PRODUCTS = 300
const PARCELS = 600
const PLENTY = 1e8
const SETTLED_WITHIN_MS = 60_000
export const CALLBACK_SECRET = 'the secret of a rehearsal'

type Client = ReturnType<typeof storefront>

export interface Product {
  readonly id: string
  readonly inventoryKey: string
}

export interface Shop {
  readonly client: Client
  /** Of the person whose store it is. */
  readonly as: string
  readonly key: string
  readonly storeId: string
  readonly projectId: string
  readonly products: readonly Product[]
  /** Each is with the sandbox carrier. */
  readonly parcels: readonly { readonly id: string; readonly trackingId: string }[]
}

/** A store with products in stock and parcels at a carrier. */
export async function stock(client: Client): Promise<Shop> {
  const { as, storeId, projectId } = await client.open()
  const scopes = ['parcels', 'orders', 'products', 'inventory'].flatMap((of) => [`${of}:read`, `${of}:write`])
  const { key } = await client.ok('POST', `/v1/projects/${projectId}/api-keys`, as, {
    name: 'bench',
    scopes: [...scopes, 'webhooks:manage', 'geo:resolve'],
  })
  const numbers = Array.from({ length: PRODUCTS }, (_, at) => at)
  const products = await inParallel(numbers, 8, (at) =>
    client.ok('POST', '/v1/products', key, {
      storeId,
      name: `Product ${at}`,
      sku: `SKU-${at}`,
      price: 1000 + at,
      initialStock: PLENTY,
    }),
  )
  const parcels = await submitParcels(client, { as, key, storeId })
  return { client, as, key, storeId, projectId, products: products as Product[], parcels }
}

async function submitParcels(client: Client, { as, key, storeId }: Record<'as' | 'key' | 'storeId', string>) {
  const { id: carrierAccountId } = await client.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, as, {
    enabled: true,
    credentials: { webhookSecret: CALLBACK_SECRET },
    settings: {},
  })
  const rows = Array.from({ length: PARCELS }, (_, at) => parcel(at))
  await client.ok('POST', '/v1/parcels/batches', key, { carrierAccountId, submit: true, parcels: rows })
  const until = Date.now() + SETTLED_WITHIN_MS
  for (;;) {
    const parcels = await allSubmitted(client, key)
    if (parcels.length === PARCELS) return parcels
    if (Date.now() > until) throw new Error(`Only ${parcels.length} of ${PARCELS} parcels were submitted.`)
    await Bun.sleep(200)
  }
}

async function allSubmitted(client: Client, key: string): Promise<Shop['parcels']> {
  const found: { id: string; trackingId: string }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await client.ask('GET', `/v1/parcels?status=submitted&limit=100${cursor && `&cursor=${cursor}`}`, key)
    const page = body as { data: typeof found; nextCursor: string | null }
    found.push(...page.data)
    cursor = page.nextCursor
  }
  return found
}

/** A parcel to create. */
export const parcel = (at: number) => ({
  reference: `BENCH-${at}`,
  recipient: { name: 'Amina Saadi', phone: '0550123456' },
  destination: {
    country: 'DZ',
    stateCode: '16',
    cityName: 'Bab Ezzouar',
    address: 'cité 5 juillet',
    deliveryType: 'home',
  },
  codAmount: 1000 + at,
  contents: 'Basket',
})

/** Different requests of one kind. */
export const DIFFERENT = 1_000

/** What can be ordered, and from whom. */
export interface Orderable {
  readonly storeId: string
  readonly products: readonly { readonly id: string }[]
}

/** An order of so many random products. */
export const order = ({ storeId, products }: Orderable, lines: number) => ({
  storeId,
  customer: { name: 'Amina Saadi', phone: '0550123456' },
  destination: {
    country: 'DZ',
    stateCode: '16',
    cityName: 'Bab Ezzouar',
    address: 'cité 5 juillet',
    deliveryType: 'home',
  },
  items: some(products, lines).map(({ id }, at) => ({ productId: id, quantity: at + 1 })),
})

/** So many different ones. */
function some<Item>(all: readonly Item[], count: number): Item[] {
  const chosen = new Set<Item>()
  while (chosen.size < count) chosen.add(all[Math.floor(Math.random() * all.length)]!)
  return [...chosen]
}
