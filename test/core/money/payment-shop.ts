import type { Answer, Shop, TestApp } from '../../support/app.ts'

const PRICE = 2500

type Choice = 'pay' | 'decline' | 'cancel'

/** A shop whose customers can pay beforehand, and what they and it do. */
export async function paymentShop({ call, ok, shop }: TestApp, settings: Record<string, unknown> = {}, price = PRICE) {
  const made: Shop = await shop()
  const { storeId, owner, key } = made
  const integrations = `/v1/stores/${storeId}/integrations`
  await ok('PUT', `${integrations}/sandbox-payment`, { as: owner.token, body: { enabled: true, credentials: {}, settings } })
  await ok('PUT', `${integrations}/sandbox`, {
    as: owner.token,
    body: { enabled: true, credentials: { webhookSecret: 'rehearsal' }, settings: {} },
  })
  const { data: product } = await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: 'Basket', sku: 'B', price, initialStock: 100_000 },
  })

  async function order(quantity = 1, name = 'Lina') {
    const { data } = await ok('POST', '/v1/orders', {
      as: key,
      body: {
        storeId,
        customer: { name, phone: '0550123456' },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
        items: [{ productId: product.id, quantity }],
      },
    })
    return data as { id: string; reference: string; totals: { total: number } }
  }

  const initiate = (
    orderId: string,
    { as, gateway = 'sandbox-payment', body = {} }: { as?: string; gateway?: string; body?: object } = {},
  ) => call('POST', `/v1/orders/${orderId}/payment/${gateway}/initiate`, { ...(as && { as }), body })

  /** What a payer's browser does on the page of the sandbox: opens it, and presses a button. */
  async function onPage(checkoutUrl: string, choice: Choice, amount?: number): Promise<Answer> {
    const { pathname, search } = new URL(checkoutUrl)
    const page = await call('GET', pathname + search)
    const [, checkout] = /data-checkout="([^"]+)"/.exec(page.body) ?? []
    const [, proof] = /data-proof="([^"]+)"/.exec(page.body) ?? []
    return call('POST', pathname + search, { body: { checkout, proof, choice, ...(amount !== undefined && { amount }) } })
  }

  /** Begun and paid. */
  async function paid(orderId: string, amount?: number) {
    const { body, status } = await initiate(orderId, { as: key })
    if (status !== 201) throw new Error(`initiate answered ${status}: ${JSON.stringify(body)}`)
    await onPage(body.data.checkoutUrl, 'pay', amount)
    return read(orderId, body.data.id)
  }

  const read = async (orderId: string, paymentId: string) =>
    (await ok('GET', `/v1/orders/${orderId}/payments/${paymentId}`, { as: key })).data
  const readOrder = async (orderId: string) => (await ok('GET', `/v1/orders/${orderId}`, { as: key })).data
  const send = (orderId: string) => call('POST', `/v1/stores/${storeId}/orders/${orderId}/carriers/sandbox/send`, { as: key })
  const onPayment = (orderId: string, paymentId: string, act: string, body?: object, method = 'POST') =>
    call(method, `/v1/orders/${orderId}/payments/${paymentId}/${act}`, { as: owner.token, ...(body && { body }) })

  return { ...made, product, order, initiate, onPage, paid, read, readOrder, send, onPayment }
}
