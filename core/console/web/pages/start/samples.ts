import { api } from '../../api/client.ts'
import { RequestError, unwrap } from '../../api/errors.ts'
import { randomKey } from '../../api/random-key.ts'
import { t } from '../../words/words.ts'

interface NewStore {
  readonly storeId: string
  readonly countryCode: string
}

/** Values that a step asks for. */
export type StepValues = Readonly<Record<string, string>>

/** Price of the sample product in the currency of the store, and how many are in stock. */
const [SAMPLE_PRICE, SAMPLE_STOCK] = [2500, 20]
const SAMPLE_SKU = 'SAMPLE'
/** Connects the sandbox carrier, which needs no account and moves no goods. */
export async function connectSandbox({ storeId }: NewStore): Promise<void> {
  const path = { storeId, key: 'sandbox' }
  const credentials = { webhookSecret: randomKey() }
  await unwrap(api.PUT('/v1/stores/{storeId}/integrations/{key}', { params: { path }, body: { enabled: true, credentials, settings: {} } }))
}

/** Makes a product and an order of it, to try the confirmation desk with. */
export async function makeSampleOrder(store: NewStore, { phone = '' }: StepValues): Promise<void> {
  const [productId, place] = await Promise.all([makeSampleProduct(store), findPlace(store.countryCode)])
  await unwrap(
    api.POST('/v1/orders', {
      body: {
        storeId: store.storeId,
        customer: { name: t('start.customerName'), phone },
        destination: { ...place, country: store.countryCode, address: '', deliveryType: 'home' },
        items: [{ productId, quantity: 1 }],
      },
    }),
  )
}

/** Creates the sample product, or finds the one of an earlier attempt. */
async function makeSampleProduct({ storeId }: NewStore): Promise<string> {
  const body = {
    storeId,
    name: t('start.productName'),
    sku: SAMPLE_SKU,
    price: SAMPLE_PRICE,
    status: 'active' as const,
    initialStock: SAMPLE_STOCK,
  }
  try {
    return (await unwrap(api.POST('/v1/products', { body }))).data.id
  } catch (error) {
    if (!(error instanceof RequestError && error.code === 'sku_taken')) throw error
    const { data } = await unwrap(api.GET('/v1/products', { params: { query: { storeId, search: SAMPLE_SKU, limit: 1 } } }))
    const found = data[0]
    if (!found) throw error
    return found.id
  }
}

async function findPlace(country: string) {
  const { data: states } = await unwrap(
    api.GET('/v1/countries/{country_code}/states', { params: { path: { country_code: country }, query: { limit: 1 } } }),
  )
  const stateCode = states[0]?.code ?? ''
  const path = { country_code: country, state_code: stateCode }
  const { data: cities } = await unwrap(
    api.GET('/v1/countries/{country_code}/states/{state_code}/cities', { params: { path, query: { limit: 1 } } }),
  )
  return { stateCode, cityName: cities[0]?.name ?? '' }
}
