import { expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'

const { call, ok, shop, context } = await startApp()
const { storeId, key, owner } = await shop()
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const { data: product } = await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Shoe', price: 100 } })
const HOME = { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'Cité 5 juillet', deliveryType: 'home' }
const newOrder = (customer: object, destination: object = {}) => ({
  storeId,
  customer: { name: 'Amina', ...customer },
  destination: { ...HOME, ...destination },
  items: [{ productId: product.id, quantity: 1 }],
})
const order = (customer: object, as?: string, destination?: object) =>
  call('POST', '/v1/orders', { ...(as && { as }), body: newOrder(customer, destination) })

test('phone: a number that cannot exist is refused with a sentence, from the public and from a key', async () => {
  for (const as of [undefined, key]) {
    for (const [phone, country = 'DZ'] of [
      ['055012345'],
      ['0215432101'],
      ['061234567', 'MA'],
      ['O550123456'],
      ['0950123456'],
      ['0910123456'],
      ['0550123456 / 055'],
    ]) {
      const refused = await order({ phone }, as, { country })
      expect([phone, outcome(refused)]).toEqual([phone, '422 invalid_phone'])
      expect(refused.body.error.message).toContain(`not a valid phone number of ${country}`)
      expect(refused.body.error.details).toEqual([{ path: '/body/customer/phone', message: 'Not a valid phone number.' }])
    }
    const second = await order({ phone: '0550123456', phoneAlt: '055012345' }, as)
    expect(second.body.error.details[0].path).toBe('/body/customer/phoneAlt')
  }
})

test('phone: two numbers in one field become the first and the second, where none is given', async () => {
  for (const typed of ['0550123456 / 0660112233', '0550123456 0660112233', '0550 - 12 - 34 - 56 / 0660 - 11 - 22 - 33']) {
    const { data } = (await order({ phone: typed }, key)).body
    expect(data.customer).toMatchObject({ phone: '+213550123456', phoneAlt: '+213660112233' })
  }
  const { data } = (await order({ phone: '0550123456-0660112233', phoneAlt: '021\u202F54\u202F32\u202F10' }, key)).body
  expect(data.customer).toMatchObject({ phone: '+213550123456', phoneAlt: '+21321543210' })
})

test('phone: an edit is held to the same rule, and leaves a kept number alone', async () => {
  const { data: made } = (await order({ phone: '0550/12/34/56' }, key)).body
  const edit = (customer: object) => call('PATCH', `/v1/orders/${made.id}`, { as: owner.token, body: { customer } })
  expect(outcome(await edit({ phone: '055012345' }))).toBe('422 invalid_phone')
  expect((await edit({ phone: '0550123457/0660112233' })).body.data.customer).toMatchObject({
    phone: '+213550123457',
    phoneAlt: '+213660112233',
  })
  // An order of a time when possible numbers were taken.
  await context.sql`update orders set customer_phone = '+21355012345' where id = ${made.id}`
  expect((await edit({ name: 'Amina B.' })).body.data.customer).toMatchObject({ name: 'Amina B.', phone: '+21355012345' })
  const found = await ok('GET', `/v1/orders?storeId=${storeId}&filter[phone]=055012345`, { as: key })
  expect(found.data.map(({ id }: { id: string }) => id)).toEqual([made.id])
})

test('phone: a parcel made by API takes the same numbers and refuses the same', async () => {
  const parcel = (recipient: object) =>
    call('POST', '/v1/parcels', { as: key, body: { recipient: { name: 'Amina', ...recipient }, destination: HOME } })
  expect((await parcel({ phone: '0550123456 0660112233' })).body.data.recipient).toMatchObject({
    phone: '+213550123456',
    phoneAlt: '+213660112233',
  })
  const refused = await parcel({ phone: '0215432101' })
  expect([outcome(refused), refused.body.error.details[0].path]).toEqual(['422 invalid_phone', '/body/recipient/phone'])
})
