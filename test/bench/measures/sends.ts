import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { connectionUrl } from '../../support/database.ts'
import { spawnServer } from '../../support/process.ts'
import { inParallel, storefront } from '../../support/storefront.ts'
import { perSecond, type Row } from '../table.ts'

const ORDERS = 1_200
const AT_ONCE = 24
const A_CALL = 50

/** Orders to submitted parcels at the sandbox carrier, end to end: in process, and with the adapter in a process of its own. */
export async function sends(): Promise<Row[]> {
  return [...(await sendsWith('third-party', 'in process')), ...(await sendsWith('all', 'sandboxed'))]
}

async function sendsWith(isolation: string, name: string): Promise<Row[]> {
  const server = await spawnServer({ ...(await connectionUrl()), ADAPTER_ISOLATION: isolation })
  try {
    const { ok, open } = storefront(server.url)
    const { as, key, storeId } = await open()
    const product = await ok('POST', '/v1/products', key, { storeId, name: 'Basket', price: 4500, initialStock: 1e6 })
    await ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, as, { enabled: true, credentials: { webhookSecret: 'x' }, settings: {} })
    const orders = (await inParallel(Array.from({ length: 2 * ORDERS }), 16, () =>
      ok('POST', '/v1/orders', key, {
        storeId,
        customer: { name: 'Amina Saadi', phone: '0550123456' },
        items: [{ productId: product.id, quantity: 1 }],
        destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'Rue 1', deliveryType: 'home' },
      }),
    )) as { id: string }[]
    const singly = await seconds(() =>
      inParallel(orders.slice(0, ORDERS), AT_ONCE, async ({ id }) => {
        const { parcel } = await ok('POST', `/v1/stores/${storeId}/orders/${id}/carriers/sandbox/send`, as, {})
        if (parcel.status !== 'submitted') throw new Error(`a parcel is ${parcel.status}`)
      }),
    )
    const calls = Array.from({ length: ORDERS / A_CALL }, (_, at) => orders.slice(ORDERS + at * A_CALL, ORDERS + (at + 1) * A_CALL))
    const together = await seconds(() =>
      inParallel(calls, 4, async (some) => {
        const rows = await ok('POST', `/v1/stores/${storeId}/integrations/sandbox/sendMany`, as, {
          orders: some.map(({ id }) => ({ orderId: id })),
        })
        if (rows.some((row: { error?: object }) => row.error)) throw new Error('a row was refused')
      }),
    )
    return [
      { what: `sends, one a call, ${name}`, ours: perSecond(ORDERS / singly) },
      { what: `sends, ${A_CALL} a call, ${name}`, ours: perSecond(ORDERS / together) },
    ]
  } finally {
    await server.stop()
    await rm(dirname(server.dataDir), { recursive: true, force: true })
  }
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
