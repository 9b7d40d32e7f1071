import type { Person, Shop, TestApp } from './app.ts'

const customers = [
  'Mohamed Amine Boudiaf',
  'Imene Touati',
  'فاطمة الزهراء قاسمي',
  'Rania Cherif',
  '<img src=x onerror=alert(1)> "quoted"',
  'أمينة قاسمي',
]
const places = [
  ['16', 'Bab Ezzouar'],
  ['31', 'Oran'],
  ['25', 'Constantine'],
  ['06', 'Bejaia'],
] as const
const goods = ['Parfum Oud 50ml', 'عباية سوداء', 'Robot mixeur']

let phones = 0

/** A shop for pages of the console: products, the sandbox carrier, and orders with names in two scripts, one of them hostile. */
export async function shopWithOrders(app: TestApp, orders: number, name = 'Boutique Lina') {
  const shop = await app.shop({ name })
  const { storeId, key, owner } = shop
  const products: string[] = []
  for (const each of goods) {
    const body = { storeId, name: each, price: 2500, stockKeeping: false }
    products.push((await app.ok('POST', '/v1/products', { as: key, body })).data.id)
  }
  const carrier = { enabled: true, credentials: {}, settings: {} }
  await app.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, { as: owner.token, body: carrier })

  const place = async (at: number, more: Record<string, unknown> = {}): Promise<{ id: string; reference: string }> => {
    const [stateCode, cityName] = places[at % places.length]!
    const body = {
      storeId,
      customer: { name: customers[at % customers.length], phone: `0550${String(++phones).padStart(6, '0')}` },
      destination: { country: 'DZ', stateCode, cityName, address: 'Cité 728 logts, bt 4', deliveryType: at % 3 === 0 ? 'pickup' : 'home' },
      items: products.slice(0, 1 + (at % 2)).map((productId) => ({ productId, quantity: 1 + (at % 3) })),
      ...more,
    }
    return (await app.ok('POST', '/v1/orders', { as: key, body })).data
  }
  const placed: { id: string; reference: string }[] = []
  for (let at = 0; at < orders; at += 1) placed.push(await place(at))
  return { ...shop, place, placed }
}

/** Makes a shop call its customers at any hour, so that its orders are on the desk. */
export const openAllDay = (app: TestApp, { storeId, owner }: Shop) =>
  app.ok('PATCH', `/v1/stores/${storeId}`, {
    as: owner.token,
    body: { settings: { confirmation: { opensAt: '00:00', closesAt: '00:00' } } },
  })

/** Adds a member to a shop. */
export async function addMember(app: TestApp, { storeId, owner }: Shop, role: string, name: string): Promise<Person> {
  const person = await app.person(name)
  await app.ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: person.email, role } })
  return person
}
